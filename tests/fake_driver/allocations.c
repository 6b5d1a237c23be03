// The calls that allocate and free memory outside pools, and those that tell about pointers.
#include <string.h>
#include <sys/mman.h>

#include "memory.h"
#include "streams.h"

enum { PITCH = 512 };

static CUresult give(struct device *device, enum memory_kind kind, size_t bytes, unsigned flags, void **pointer) {
    struct allocation *made = NULL;
    if (!pointer) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_unsafe_call();
    if (result == CUDA_SUCCESS) result = allocate(device, kind, bytes, &made);
    if (result != CUDA_SUCCESS) return result;
    made->flags = flags;
    *pointer = made->address;
    return CUDA_SUCCESS;
}

// Free what starts at `address`, if it is of one of two kinds, once all queued work of its device has ended.
static CUresult take_back(void *address, enum memory_kind kind, enum memory_kind other) {
    if (!address) return CUDA_SUCCESS;
    struct allocation *found = allocation_at(address);
    if (!found || found->address != address || (found->kind != kind && found->kind != other))
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_unsafe_call();
    if (result != CUDA_SUCCESS) return result;
    result = finish_device(found->device);
    found = allocation_at(address);  // another thread may have freed it meanwhile
    if (!found) return CUDA_ERROR_INVALID_VALUE;
    if (found->flags == MAPPED_BUFFER) munmap(found->address, found->bytes);
    release(found);
    return result;
}

PUBLIC CUresult cuMemAlloc_v2(void **pointer, size_t bytes) {
    ENTER_ON(device);
    return leave(give(device, DEVICE_MEMORY, bytes, 0, pointer));
}

PUBLIC CUresult cuMemAllocPitch_v2(void **pointer, size_t *pitch, size_t width, size_t height, unsigned element) {
    ENTER_ON(device);
    if (!pitch || !width || !height || (element != 4 && element != 8 && element != 16))
        return leave(CUDA_ERROR_INVALID_VALUE);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return leave(give(device, DEVICE_MEMORY, *pitch * height, 0, pointer));
}

PUBLIC CUresult cuMemAllocManaged(void **pointer, size_t bytes, unsigned flags) {
    ENTER_ON(device);
    if (flags != 1 && flags != 2) return leave(CUDA_ERROR_INVALID_VALUE);
    return leave(give(device, MANAGED_MEMORY, bytes, flags, pointer));
}

PUBLIC CUresult cuMemFree_v2(void *pointer) {
    ENTER_ON(device);
    (void)device;
    struct allocation *found = allocation_at(pointer);
    if (found && found->kind == POOL_MEMORY) return leave(take_back(pointer, POOL_MEMORY, POOL_MEMORY));
    if (found && found->kind == REGISTERED_MEMORY && found->flags == MAPPED_BUFFER)
        return leave(take_back(pointer, REGISTERED_MEMORY, REGISTERED_MEMORY));
    return leave(take_back(pointer, DEVICE_MEMORY, MANAGED_MEMORY));
}

PUBLIC CUresult cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
    ENTER_ON(device);
    if (flags & ~7u) return leave(CUDA_ERROR_INVALID_VALUE);
    return leave(give(device, PINNED_MEMORY, bytes, flags, pointer));
}

PUBLIC CUresult cuMemAllocHost_v2(void **pointer, size_t bytes) {
    ENTER_ON(device);
    return leave(give(device, PINNED_MEMORY, bytes, 0, pointer));
}

PUBLIC CUresult cuMemFreeHost(void *pointer) {
    ENTER_ON(device);
    (void)device;
    return leave(take_back(pointer, PINNED_MEMORY, PINNED_MEMORY));
}

PUBLIC CUresult cuMemHostRegister_v2(void *address, size_t bytes, unsigned flags) {
    ENTER_ON(device);
    if (!address || !bytes) return leave(CUDA_ERROR_INVALID_VALUE);
    if (allocation_at(address)) return leave(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
    struct allocation *made = register_memory(device, REGISTERED_MEMORY, address, bytes);
    made->flags = flags;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemHostUnregister(void *address) {
    ENTER_ON(device);
    (void)device;
    struct allocation *found = allocation_at(address);
    if (!found || found->kind != REGISTERED_MEMORY || found->address != address)
        return leave(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
    return leave(take_back(address, REGISTERED_MEMORY, REGISTERED_MEMORY));
}

static struct allocation *host_allocation_at(const void *address) {
    struct allocation *found = allocation_at(address);
    return found && (found->kind == PINNED_MEMORY || found->kind == REGISTERED_MEMORY) ? found : NULL;
}

PUBLIC CUresult cuMemHostGetDevicePointer_v2(void **pointer, void *address, unsigned flags) {
    ENTER_ON(device);
    (void)device;
    if (!host_allocation_at(address) || flags) return leave(CUDA_ERROR_INVALID_VALUE);
    *pointer = address;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemHostGetFlags(unsigned *flags, void *address) {
    ENTER_ON(device);
    (void)device;
    if (!host_allocation_at(address)) return leave(CUDA_ERROR_INVALID_VALUE);
    *flags = host_allocation_at(address)->flags;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemGetInfo_v2(size_t *free, size_t *total) {
    ENTER_ON(device);
    *free = device->total - device->used;
    *total = device->total;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemGetAddressRange_v2(void **start, size_t *bytes, void *address) {
    ENTER_ON(device);
    (void)device;
    struct allocation *found = allocation_at(address);
    if (!found) return leave(CUDA_ERROR_NOT_FOUND);
    if (start) *start = found->address;
    if (bytes) *bytes = found->bytes;
    return leave(CUDA_SUCCESS);
}

// Advice and prefetches change nothing here; they are checked.
PUBLIC CUresult cuMemAdvise_v2(void *address, size_t bytes, int advice, uint64_t location) {
    ENTER_ON(device);
    (void)device, (void)location;
    struct allocation *found = allocation_at(address);
    int is_good = found && found->kind == MANAGED_MEMORY && is_inside(address, bytes) && advice >= 1 && advice <= 6;
    return leave(is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

PUBLIC CUresult cuMemPrefetchAsync_v2(void *address, size_t bytes, uint64_t location, unsigned flags, void *stream) {
    ENTER_ON(device);
    (void)location;
    struct allocation *found = allocation_at(address);
    if (!stream_of(device, stream)) return leave(CUDA_ERROR_INVALID_HANDLE);
    int is_good = found && found->kind == MANAGED_MEMORY && is_inside(address, bytes) && !flags;
    return leave(is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}
