// Fills of 1, 2 or 4 bytes, of rows and of planes.
#include "memory.h"
#include "streams.h"

static CUresult fill(struct stream *stream, const struct fill *given, int is_async) {
    if (!stream) return CUDA_ERROR_INVALID_HANDLE;
    size_t row = given->width * given->element;
    if (!row || !given->height) return CUDA_SUCCESS;
    size_t bytes = (given->height - 1) * given->pitch + row;
    if (!is_inside(given->address, bytes) || (uintptr_t)given->address % given->element) return CUDA_ERROR_INVALID_VALUE;
    if (given->height > 1 && (given->pitch < row || given->pitch % given->element)) return CUDA_ERROR_INVALID_VALUE;
    if (!is_async && device_is_capturing(stream->device)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    struct operation operation = {.work = FILL, .fill = *given};
    return submit(stream, &operation);
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
