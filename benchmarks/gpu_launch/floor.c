/* The least a launch can cost: a C loop over cuLaunchKernel. Arguments: cubin, entry, number of pointer parameters.
   Prints microseconds a launch, a burst a line. Types and values: CUDA Driver API. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LAUNCHES = 2000, BURSTS = 9, MAXIMUM = 256 };

static void *find(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (!found) { fprintf(stderr, "no %s\n", name); exit(2); }
    return found;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

int main(int count, char **arguments) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW), *context, *module, *function;
    static char image[1 << 22];
    uint64_t address, values[MAXIMUM];
    void *parameters[MAXIMUM];
    int device, pieces = count > 3 ? atoi(arguments[3]) : 0;
    if (!library || count < 4 || pieces > MAXIMUM) return 2;
    FILE *file = fopen(arguments[1], "rb");
    if (!file || !fread(image, 1, sizeof image, file)) return 2;
    ((int (*)(unsigned))find(library, "cuInit"))(0);
    ((int (*)(int *, int))find(library, "cuDeviceGet"))(&device, 0);
    ((int (*)(void **, int))find(library, "cuDevicePrimaryCtxRetain"))(&context, device);
    ((int (*)(void *))find(library, "cuCtxSetCurrent"))(context);
    if (((int (*)(void **, const void *))find(library, "cuModuleLoadData"))(&module, image)) return 3;
    if (((int (*)(void **, void *, const char *))find(library, "cuModuleGetFunction"))(&function, module, arguments[2])) return 4;
    ((int (*)(uint64_t *, size_t))find(library, "cuMemAlloc_v2"))(&address, 4096);
    for (int index = 0; index < pieces; index++) {
        values[index] = index % 2 ? 1024 : address; /* an array is its address and its extent */
        parameters[index] = &values[index];
    }
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) =
        (int (*)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))
        find(library, "cuLaunchKernel");
    int (*wait)(void) = (int (*)(void))find(library, "cuCtxSynchronize");
    for (int burst = 0; burst < BURSTS; burst++) {
        wait();
        double start = now();
        for (int index = 0; index < LAUNCHES; index++)
            if (launch(function, 4, 1, 1, 256, 1, 1, 0, (void *)1, parameters, NULL)) return 5;
        printf("%.4f\n", (now() - start) / LAUNCHES);
        if (wait()) return 6;
    }
}
