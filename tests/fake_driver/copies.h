// Boxes as the driver's structures describe them.
#ifndef COPIES_H
#define COPIES_H

#include "streams.h"

struct end3 {
    size_t x, y, z, level;
    unsigned type;
    const void *host;
    void *device, *array, *context;
    size_t pitch, height;
};
struct copy3 { struct end3 from, to; size_t width, height, depth; };

CUresult resolve_box(const struct copy3 *given, struct copy *copy);
CUresult check_fill(const struct fill *fill);

#endif
