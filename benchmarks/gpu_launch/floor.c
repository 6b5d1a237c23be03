/* The least a launch can cost: a C loop over cuLaunchKernel, in the process whose launches it is compared with. */
#define _POSIX_C_SOURCE 199309L
#include <stdint.h>
#include <time.h>

enum { MAXIMUM = 256 };
typedef int (*LaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                            void **);

/* Microseconds a launch, in the legacy default stream; negative for a status of the driver's. */
double burst(LaunchKernel launch, void *function, unsigned grid, unsigned block, int pieces, uint64_t *values, int count) {
    void *parameters[MAXIMUM];
    struct timespec start, end;
    for (int index = 0; index < pieces; index++) parameters[index] = &values[index];
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (int index = 0; index < count; index++) {
        int status = launch(function, grid, 1, 1, block, 1, 1, 0, (void *)1, parameters, 0);
        if (status) return -status;
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return ((end.tv_sec - start.tv_sec) * 1e6 + (end.tv_nsec - start.tv_nsec) * 1e-3) / count;
}
