// What copies need of CUDA arrays.
#ifndef ARRAYS_H
#define ARRAYS_H

#include "streams.h"

// Where a box of a CUDA array starts; x in bytes. Gives INVALID_HANDLE or INVALID_VALUE.
CUresult resolve_array(void *handle, size_t x, size_t y, size_t z, const struct copy *copy, struct side *side);

// What an array is, and where its texels lie. Gives INVALID_HANDLE.
struct array_seen { void *address; size_t width, height, depth; int format; unsigned channels; };
CUresult see_array(void *handle, struct array_seen *seen);

#endif
