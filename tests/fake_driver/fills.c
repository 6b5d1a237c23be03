// Fills of 1, 2 or 4 bytes, of rows and of planes.
#include "copies.h"
#include "memory.h"
#include "streams.h"

CUresult check_fill(const struct fill *given) {
    size_t row = given->width * given->element, bytes = (given->height - 1) * given->pitch + row;
    int is_aligned = (uintptr_t)given->address % given->element == 0;
    if (!is_aligned || !is_inside(given->address, bytes)) return CUDA_ERROR_INVALID_VALUE;
    if (given->height > 1 && (given->pitch < row || given->pitch % given->element)) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

static CUresult fill(struct stream *stream, const struct fill *given, int is_async) {
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    if (!given->width || !given->height) return CUDA_SUCCESS;
    CUresult result = check_fill(given);
    if (result == CUDA_SUCCESS && !is_async) result = check_unsafe_call();
    struct operation operation = {.work = FILL, .fill = *given};
    return result == CUDA_SUCCESS ? submit(stream, &operation) : result;
}

#define FILL(stream, is_async, ...) \
    ENTER_ON(device); \
    struct fill given = {__VA_ARGS__}; \
    return leave(fill(stream_of(device, stream), &given, is_async))
#define ROW(stream, is_async, bytes) FILL(stream, is_async, address, 0, count, 1, value, bytes)
#define PLANE(stream, is_async, bytes) FILL(stream, is_async, address, pitch, width, height, value, bytes)

PUBLIC CUresult cuMemsetD8_v2(void *address, unsigned char value, size_t count) { ROW(NULL, 0, 1); }
PUBLIC CUresult cuMemsetD16_v2(void *address, unsigned short value, size_t count) { ROW(NULL, 0, 2); }
PUBLIC CUresult cuMemsetD32_v2(void *address, unsigned value, size_t count) { ROW(NULL, 0, 4); }
PUBLIC CUresult cuMemsetD8Async(void *address, unsigned char value, size_t count, void *stream) { ROW(stream, 1, 1); }
PUBLIC CUresult cuMemsetD16Async(void *address, unsigned short value, size_t count, void *stream) { ROW(stream, 1, 2); }
PUBLIC CUresult cuMemsetD32Async(void *address, unsigned value, size_t count, void *stream) { ROW(stream, 1, 4); }

PUBLIC CUresult cuMemsetD2D8_v2(void *address, size_t pitch, unsigned char value, size_t width, size_t height) {
    PLANE(NULL, 0, 1);
}
PUBLIC CUresult cuMemsetD2D16_v2(void *address, size_t pitch, unsigned short value, size_t width, size_t height) {
    PLANE(NULL, 0, 2);
}
PUBLIC CUresult cuMemsetD2D32_v2(void *address, size_t pitch, unsigned value, size_t width, size_t height) {
    PLANE(NULL, 0, 4);
}
PUBLIC CUresult cuMemsetD2D8Async(void *address, size_t pitch, unsigned char value, size_t width, size_t height,
                                  void *stream) {
    PLANE(stream, 1, 1);
}
PUBLIC CUresult cuMemsetD2D16Async(void *address, size_t pitch, unsigned short value, size_t width, size_t height,
                                   void *stream) {
    PLANE(stream, 1, 2);
}
PUBLIC CUresult cuMemsetD2D32Async(void *address, size_t pitch, unsigned value, size_t width, size_t height,
                                   void *stream) {
    PLANE(stream, 1, 4);
}
