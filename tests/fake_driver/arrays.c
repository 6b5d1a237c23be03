// CUDA arrays: rows of texels, packed here, since nothing can see how the real ones lie.
#include "arrays.h"

#include "memory.h"

struct description { size_t width, height, depth; int format; unsigned channels, flags; };
struct flat_description { size_t width, height; int format; unsigned channels; };
struct array { struct object object; struct description description; struct allocation *memory; size_t texel; };

// Bytes of a channel by number of CUarray_format; 0 for formats that the fake does not know.
static size_t bytes_of_format(int format) {
    switch (format) {
    case 0x01: case 0x08: return 1;
    case 0x02: case 0x09: case 0x10: return 2;
    case 0x03: case 0x0a: case 0x20: return 4;
    default: return 0;
    }
}

static size_t at_least_one(size_t extent) { return extent ? extent : 1; }

static CUresult create(struct device *device, const struct description *given, void **handle) {
    if (!given || !handle || !given->width || (given->depth && !given->height)) return CUDA_ERROR_INVALID_VALUE;
    size_t texel = bytes_of_format(given->format) * given->channels;
    if (!texel || (given->channels != 1 && given->channels != 2 && given->channels != 4))
        return CUDA_ERROR_INVALID_VALUE;
    size_t bytes = texel * given->width * at_least_one(given->height) * at_least_one(given->depth);
    struct allocation *memory = NULL;
    CUresult result = allocate(device, DEVICE_MEMORY, bytes, &memory);
    if (result != CUDA_SUCCESS) return result;
    struct array *array = make(ARRAY, sizeof *array);
    array->description = *given;
    array->memory = memory;
    array->texel = texel;
    *handle = array;
    return CUDA_SUCCESS;
}

CUresult resolve_array(void *handle, size_t x, size_t y, size_t z, const struct copy *copy, struct side *side) {
    struct array *array = find(ARRAY, handle);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    const struct description *held = &array->description;
    size_t row = held->width * array->texel, rows = at_least_one(held->height), slices = at_least_one(held->depth);
    if (x + copy->width > row || y + copy->height > rows || z + copy->depth > slices) return CUDA_ERROR_INVALID_VALUE;
    side->pitch = row;
    side->slice = row * rows;
    side->address = array->memory->address + x + y * side->pitch + z * side->slice;
    return CUDA_SUCCESS;
}

CUresult see_array(void *handle, struct array_seen *seen) {
    struct array *array = find(ARRAY, handle);
    if (!array) return CUDA_ERROR_INVALID_HANDLE;
    const struct description *held = &array->description;
    *seen = (struct array_seen){array->memory->address, held->width, at_least_one(held->height),
                                at_least_one(held->depth), held->format, held->channels};
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuArrayCreate_v2(void **handle, const struct flat_description *given) {
    ENTER_ON(device);
    if (!given) return leave(CUDA_ERROR_INVALID_VALUE);
    struct description full = {given->width, given->height, 0, given->format, given->channels, 0};
    return leave(create(device, &full, handle));
}

PUBLIC CUresult cuArray3DCreate_v2(void **handle, const struct description *given) {
    ENTER_ON(device);
    return leave(create(device, given, handle));
}

PUBLIC CUresult cuArrayGetDescriptor_v2(struct flat_description *given, void *handle) {
    ENTER_ON(device);
    (void)device;
    struct array *array = find(ARRAY, handle);
    if (!array) return leave(CUDA_ERROR_INVALID_HANDLE);
    const struct description *held = &array->description;
    *given = (struct flat_description){held->width, held->height, held->format, held->channels};
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuArray3DGetDescriptor_v2(struct description *given, void *handle) {
    ENTER_ON(device);
    (void)device;
    struct array *array = find(ARRAY, handle);
    if (!array) return leave(CUDA_ERROR_INVALID_HANDLE);
    *given = array->description;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuArrayDestroy(void *handle) {
    ENTER_ON(device);
    struct array *array = find(ARRAY, handle);
    if (!array) return leave(CUDA_ERROR_INVALID_HANDLE);
    CUresult result = finish_device(device);
    release(array->memory);
    discard(array);
    return leave(result);
}
