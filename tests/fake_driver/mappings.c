// Virtual memory: ranges of addresses, and memory that is mapped into them. Memory may be used once access is set.
#define _DEFAULT_SOURCE
#include <sys/mman.h>

#include "memory.h"

enum { GRANULARITY = 2 << 20 };
struct mappable { struct object object; size_t bytes; };

static int is_whole(size_t bytes) { return bytes && bytes % GRANULARITY == 0; }

PUBLIC CUresult cuMemGetAllocationGranularity(size_t *granularity, const void *properties, int option) {
    ENTER();
    if (!granularity || !properties || option < 0 || option > 1) return leave(CUDA_ERROR_INVALID_VALUE);
    *granularity = GRANULARITY;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemAddressReserve(void **address, size_t bytes, size_t alignment, void *wish, uint64_t flags) {
    ENTER_ON(device);
    (void)device, (void)wish;
    if (!address || !is_whole(bytes) || alignment || flags) return leave(CUDA_ERROR_INVALID_VALUE);
    void *found = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED) return leave(CUDA_ERROR_OUT_OF_MEMORY);
    *address = found;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemAddressFree(void *address, size_t bytes) {
    ENTER_ON(device);
    (void)device;
    if (allocation_at(address)) return leave(CUDA_ERROR_INVALID_VALUE);  // still mapped
    return leave(munmap(address, bytes) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

PUBLIC CUresult cuMemCreate(void **handle, size_t bytes, const void *properties, uint64_t flags) {
    ENTER_ON(device);
    if (!handle || !properties || !is_whole(bytes) || flags) return leave(CUDA_ERROR_INVALID_VALUE);
    if (bytes > device->total - device->used) return leave(CUDA_ERROR_OUT_OF_MEMORY);
    struct mappable *made = make(MAPPABLE, sizeof *made);
    made->bytes = bytes;
    device->used += bytes;
    *handle = made;
    return leave(CUDA_SUCCESS);
}

// The memory itself lives until it is unmapped.
PUBLIC CUresult cuMemRelease(void *handle) {
    ENTER();
    if (!find(MAPPABLE, handle)) return leave(CUDA_ERROR_INVALID_HANDLE);
    discard(handle);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemMap(void *address, size_t bytes, size_t offset, void *handle, uint64_t flags) {
    ENTER_ON(device);
    (void)device;
    struct mappable *found = find(MAPPABLE, handle);
    int is_good = found && found->bytes == bytes && !offset && !flags && !allocation_at(address);
    return leave(is_good ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

PUBLIC CUresult cuMemSetAccess(void *address, size_t bytes, const void *access, size_t count) {
    ENTER_ON(device);
    if (!access || !count || mprotect(address, bytes, PROT_READ | PROT_WRITE)) return leave(CUDA_ERROR_INVALID_VALUE);
    struct allocation *before = allocation_at(address);
    if (before) release(before);
    register_memory(device, REGISTERED_MEMORY, address, bytes);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuMemUnmap(void *address, size_t bytes) {
    ENTER_ON(device);
    struct allocation *found = allocation_at(address);
    if (found) release(found);
    device->used -= bytes;
    return leave(mprotect(address, bytes, PROT_NONE) ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}
