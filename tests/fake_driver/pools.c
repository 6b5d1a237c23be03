// Memory pools. What is freed counts as reserved until the pool is trimmed, or trims itself to its threshold when its
// stream is waited for; here the latter happens when the memory is freed.
#include <string.h>

#include "memory.h"
#include "streams.h"

enum { REUSE_LAST = 3, RELEASE_THRESHOLD = 4, RESERVED = 5, RESERVED_HIGH = 6, USED = 7, USED_HIGH = 8 };
struct pool {
    struct object object;
    struct device *device;
    int reuse[4];
    uint64_t threshold, reserved, reserved_high, used, used_high;
};
struct properties { int type, handle_types, location_type, location, *security; size_t maximum; char rest[56]; };

static struct pool *new_pool(struct device *device) {
    struct pool *pool = make(POOL, sizeof *pool);
    pool->device = device;
    pool->reuse[1] = pool->reuse[2] = pool->reuse[3] = 1;
    return pool;
}

static struct pool *pool_of(struct device *device) {
    if (!device->default_pool) device->default_pool = device->pool = new_pool(device);
    return device->pool;
}

static uint64_t larger(uint64_t first, uint64_t second) { return first > second ? first : second; }

static CUresult take(struct pool *pool, size_t bytes, struct stream *stream, void **pointer) {
    struct allocation *made = NULL;
    if (!pool || !stream) return CUDA_ERROR_INVALID_HANDLE;
    if (stream->capture) return CUDA_ERROR_NOT_SUPPORTED;
    CUresult result = allocate(pool->device, POOL_MEMORY, bytes, &made);
    if (result != CUDA_SUCCESS) return result;
    made->pool = pool;
    pool->used += bytes;
    pool->reserved = larger(pool->reserved, pool->used);
    pool->used_high = larger(pool->used_high, pool->used);
    pool->reserved_high = larger(pool->reserved_high, pool->reserved);
    *pointer = made->address;
    return CUDA_SUCCESS;
}

void note_pool_release(struct pool *pool, size_t bytes) {
    pool->used -= bytes;
    pool->reserved = larger(pool->used, pool->reserved < pool->threshold ? pool->reserved : pool->threshold);
}

PUBLIC CUresult cuMemAllocAsync(void **pointer, size_t bytes, void *stream) {
    ENTER_ON(device);
    return leave(take(pool_of(device), bytes, stream_of(device, stream), pointer));
}

PUBLIC CUresult cuMemAllocFromPoolAsync(void **pointer, size_t bytes, void *pool, void *stream) {
    ENTER_ON(device);
    return leave(take(find(POOL, pool), bytes, stream_of(device, stream), pointer));
}

PUBLIC CUresult cuMemFreeAsync(void *pointer, void *handle) {
    ENTER_ON(device);
    struct stream *stream = stream_of(device, handle);
    struct allocation *found = allocation_at(pointer);
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (!pointer) return leave(CUDA_SUCCESS);
    if (!found || found->address != pointer || (found->kind != POOL_MEMORY && found->kind != DEVICE_MEMORY))
        return leave(CUDA_ERROR_INVALID_VALUE);
    if (found->is_being_freed || stream->capture) return leave(CUDA_ERROR_INVALID_VALUE);
    found->is_being_freed = 1;
    struct operation operation = {.work = FREE_MEMORY, .memory = pointer};
    return leave(submit(stream, &operation));
}

PUBLIC CUresult cuMemPoolCreate(void **handle, const struct properties *given) {
    ENTER();
    struct device *device = given && given->location_type == 1 ? device_of(given->location) : NULL;
    if (!device || given->type != 1) return leave(CUDA_ERROR_INVALID_VALUE);
    *handle = new_pool(device);
    return leave(CUDA_SUCCESS);
}

#define ENTER_POOL(pool, handle) \
    ENTER(); \
    struct pool *pool = find(POOL, handle); \
    if (!pool) return leave(CUDA_ERROR_INVALID_HANDLE)

PUBLIC CUresult cuMemPoolDestroy(void *handle) {
    ENTER_POOL(pool, handle);
    if (pool == pool->device->default_pool) return leave(CUDA_ERROR_INVALID_VALUE);
    if (pool->device->pool == pool) pool->device->pool = pool->device->default_pool;
    forget_pool(pool);
    discard(pool);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemPoolTrimTo(void *handle, size_t bytes) {
    ENTER_POOL(pool, handle);
    pool->reserved = larger(pool->used, pool->reserved < bytes ? pool->reserved : bytes);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemPoolGetAttribute(void *handle, int attribute, void *value) {
    ENTER_POOL(pool, handle);
    uint64_t figures[] = {pool->threshold, pool->reserved, pool->reserved_high, pool->used, pool->used_high};
    if (attribute < 1 || attribute > USED_HIGH) return leave(CUDA_ERROR_INVALID_VALUE);
    if (attribute <= REUSE_LAST) memcpy(value, &pool->reuse[attribute], sizeof(int));
    else memcpy(value, &figures[attribute - RELEASE_THRESHOLD], sizeof *figures);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemPoolSetAttribute(void *handle, int attribute, const void *value) {
    ENTER_POOL(pool, handle);
    uint64_t number = 0;
    if (attribute >= 1 && attribute <= REUSE_LAST) {
        memcpy(&pool->reuse[attribute], value, sizeof(int));
        return leave(CUDA_SUCCESS);
    }
    memcpy(&number, value, sizeof number);
    if (attribute == RELEASE_THRESHOLD) pool->threshold = number;
    else if (attribute == RESERVED_HIGH && number == 0) pool->reserved_high = pool->reserved;
    else if (attribute == USED_HIGH && number == 0) pool->used_high = pool->used;
    else return leave(CUDA_ERROR_INVALID_VALUE);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemPoolSetAccess(void *handle, const void *descriptions, size_t count) {
    ENTER_POOL(pool, handle);
    (void)pool;
    return leave(descriptions || !count ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

PUBLIC CUresult cuDeviceGetDefaultMemPool(void **pool, int ordinal) {
    ENTER();
    struct device *device = device_of(ordinal);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    pool_of(device);
    *pool = device->default_pool;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetMemPool(void **pool, int ordinal) {
    ENTER();
    struct device *device = device_of(ordinal);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    *pool = pool_of(device);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceSetMemPool(int ordinal, void *handle) {
    ENTER_POOL(pool, handle);
    struct device *device = device_of(ordinal);
    if (!device || pool->device != device) return leave(CUDA_ERROR_INVALID_DEVICE);
    pool_of(device);
    device->pool = pool;
    return leave(CUDA_SUCCESS);
}
