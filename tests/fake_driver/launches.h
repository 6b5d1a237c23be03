// What graphs need of launches.
#ifndef LAUNCHES_H
#define LAUNCHES_H

#include "modules.h"
#include "streams.h"

CUresult check_launch(const struct launch *launch);
// Copies parameters from where each lies to their offsets in the record.
void gather(const struct function *function, void **parameters, unsigned char *record);
// How many blocks of a function fit on a multiprocessor.
int resident_blocks(const struct function *function, int threads, size_t dynamic_bytes);

// A launch as cuLaunchKernelEx has it. Attributes that change nothing here, such as programmatic launch, are accepted.
struct launch_attribute { int id, padding; union { int number; unsigned sizes[3]; char bytes[64]; }; };
struct configuration {
    unsigned grid[3], block[3], shared_bytes;
    void *stream;
    struct launch_attribute *attributes;
    unsigned count;
};
CUresult read_configuration(const struct configuration *given, struct function *function, struct launch *launch);

#endif
