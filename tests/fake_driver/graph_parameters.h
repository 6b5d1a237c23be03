// The driver's structures of graph nodes.
#ifndef GRAPH_PARAMETERS_H
#define GRAPH_PARAMETERS_H

#include "copies.h"
#include "graphs.h"

struct kernel_parameters {
    void *function;
    unsigned grid[3], block[3], shared_bytes;
    void **parameters, **extra, *kernel, *context;
};
struct fill_parameters { unsigned char *address; size_t pitch; unsigned value, element; size_t width, height; };

#endif
