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

#endif
