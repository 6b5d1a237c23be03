// Copies. Both sides are checked when the call is made: a device side must lie inside one live allocation. Copies that
// touch pageable host memory end before the call returns; this is the staging of the real driver, seen from outside.
#include "arrays.h"
#include "copies.h"
#include "memory.h"
#include "streams.h"

enum memory_type { HOST = 1, DEVICE = 2, ARRAY_MEMORY = 3, UNIFIED = 4 };

// Bytes from the first to the end of the last of a box.
static size_t reach(const struct side *side, const struct copy *copy) {
    return (copy->depth - 1) * side->slice + (copy->height - 1) * side->pitch + copy->width;
}

static CUresult transfer(struct stream *stream, const struct copy *copy, int is_async) {
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!copy->width || !copy->height || !copy->depth) return CUDA_SUCCESS;
    struct operation operation = {.work = COPY, .copy = *copy};
    int is_staged = is_pageable(copy->from.address) || is_pageable(copy->to.address);
    CUresult result = is_async ? CUDA_SUCCESS : check_unsafe_call();
    if (result == CUDA_SUCCESS) result = submit(stream, &operation);
    if (result != CUDA_SUCCESS || stream->capture || (is_async && !is_staged)) return result;
    return finish_stream(stream);
}

static CUresult transfer_line(struct stream *stream, void *to, const void *from, size_t bytes, int to_device,
                              int from_device, int is_async) {
    if (!bytes) return stream ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    if (!to || !from || (to_device && !is_inside(to, bytes)) || (from_device && !is_inside(from, bytes)))
        return CUDA_ERROR_INVALID_VALUE;
    struct copy copy = {{(unsigned char *)(uintptr_t)from, 0, 0}, {to, 0, 0}, bytes, 1, 1};
    return transfer(stream, &copy, is_async);
}

#define LINE(to_device, from_device, handle, is_async) \
    ENTER_ON(device); \
    return leave(transfer_line(stream_of(device, handle), to, from, bytes, to_device, from_device, is_async))

PUBLIC CUresult cuMemcpy(void *to, void *from, size_t bytes) { LINE(0, 0, NULL, 0); }
PUBLIC CUresult cuMemcpyAsync(void *to, void *from, size_t bytes, void *stream) { LINE(0, 0, stream, 1); }
PUBLIC CUresult cuMemcpyHtoD_v2(void *to, const void *from, size_t bytes) { LINE(1, 0, NULL, 0); }
PUBLIC CUresult cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *stream) { LINE(1, 0, stream, 1); }
PUBLIC CUresult cuMemcpyDtoH_v2(void *to, void *from, size_t bytes) { LINE(0, 1, NULL, 0); }
PUBLIC CUresult cuMemcpyDtoHAsync_v2(void *to, void *from, size_t bytes, void *stream) { LINE(0, 1, stream, 1); }
PUBLIC CUresult cuMemcpyDtoD_v2(void *to, void *from, size_t bytes) { LINE(1, 1, NULL, 0); }
PUBLIC CUresult cuMemcpyDtoDAsync_v2(void *to, void *from, size_t bytes, void *stream) { LINE(1, 1, stream, 1); }

PUBLIC CUresult cuMemcpyPeer(void *to, void *to_context, void *from, void *from_context, size_t bytes) {
    if (!to_context || !from_context) return CUDA_ERROR_INVALID_CONTEXT;
    LINE(1, 1, NULL, 0);
}

PUBLIC CUresult cuMemcpyPeerAsync(void *to, void *to_context, void *from, void *from_context, size_t bytes,
                                  void *stream) {
    if (!to_context || !from_context) return CUDA_ERROR_INVALID_CONTEXT;
    LINE(1, 1, stream, 1);
}

// ---- boxes

struct end2 { size_t x, y; unsigned type; const void *host; void *device; void *array; size_t pitch; };
struct copy2 { struct end2 from, to; size_t width, height; };
static struct end3 raised(const struct end2 *end) {
    return (struct end3){end->x, end->y, 0, 0, end->type, end->host, end->device, end->array, NULL, end->pitch, 0};
}

// Where one end of a box starts, checked.
static CUresult resolve(const struct end3 *end, const struct copy *copy, struct side *side) {
    if (end->type == ARRAY_MEMORY) return resolve_array(end->array, end->x, end->y, end->z, copy, side);
    unsigned char *start = end->type == HOST ? (unsigned char *)(uintptr_t)end->host : end->device;
    if (end->type < HOST || end->type > UNIFIED || !start || end->level) return CUDA_ERROR_INVALID_VALUE;
    side->pitch = end->pitch ? end->pitch : end->x + copy->width;
    side->slice = side->pitch * (end->height ? end->height : end->y + copy->height);
    side->address = start + end->x + end->y * side->pitch + end->z * side->slice;
    if (copy->height > 1 && side->pitch < end->x + copy->width) return CUDA_ERROR_INVALID_VALUE;
    if (end->type == DEVICE && !is_inside(side->address, reach(side, copy))) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult resolve_box(const struct copy3 *given, struct copy *copy) {
    copy->width = given->width;
    copy->height = given->height;
    copy->depth = given->depth;
    if (!copy->width || !copy->height || !copy->depth) return CUDA_SUCCESS;
    CUresult result = resolve(&given->from, copy, &copy->from);
    return result == CUDA_SUCCESS ? resolve(&given->to, copy, &copy->to) : result;
}

static CUresult transfer_box(struct device *device, const struct copy3 *given, void *stream, int is_async) {
    struct copy copy = {0};
    CUresult result = resolve_box(given, &copy);
    return result == CUDA_SUCCESS ? transfer(stream_of(device, stream), &copy, is_async) : result;
}

static CUresult transfer_plane(struct device *device, const struct copy2 *given, void *stream, int is_async) {
    struct copy3 box = {raised(&given->from), raised(&given->to), given->width, given->height, 1};
    return transfer_box(device, &box, stream, is_async);
}

#define BOX(transfer, stream, is_async) \
    ENTER_ON(device); \
    return leave(given ? transfer(device, given, stream, is_async) : CUDA_ERROR_INVALID_VALUE)

PUBLIC CUresult cuMemcpy2D_v2(const struct copy2 *given) { BOX(transfer_plane, NULL, 0); }
PUBLIC CUresult cuMemcpy2DUnaligned_v2(const struct copy2 *given) { BOX(transfer_plane, NULL, 0); }
PUBLIC CUresult cuMemcpy2DAsync_v2(const struct copy2 *given, void *stream) { BOX(transfer_plane, stream, 1); }
PUBLIC CUresult cuMemcpy3D_v2(const struct copy3 *given) { BOX(transfer_box, NULL, 0); }
PUBLIC CUresult cuMemcpy3DAsync_v2(const struct copy3 *given, void *stream) { BOX(transfer_box, stream, 1); }
PUBLIC CUresult cuMemcpy3DPeer(const struct copy3 *given) { BOX(transfer_box, NULL, 0); }
PUBLIC CUresult cuMemcpy3DPeerAsync(const struct copy3 *given, void *stream) { BOX(transfer_box, stream, 1); }
