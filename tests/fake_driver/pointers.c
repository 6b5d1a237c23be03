// What a pointer is: attributes by number of CUpointer_attribute.
#include <string.h>

#include "memory.h"

enum {
    CONTEXT = 1, MEMORY_TYPE = 2, DEVICE_POINTER = 3, HOST_POINTER = 4, SYNC_MEMOPS = 6, BUFFER_ID = 7, IS_MANAGED = 8,
    ORDINAL = 9, IS_LEGACY_IPC = 10, RANGE_START = 11, RANGE_SIZE = 12, MAPPED = 13, ALLOWED_HANDLES = 14,
    MEMPOOL_HANDLE = 17,
};
enum { TYPE_HOST = 1, TYPE_DEVICE = 2 };

static void put(void *result, uint64_t value, size_t bytes) { memcpy(result, &value, bytes); }
static uint64_t number(const void *pointer) { return (uint64_t)(uintptr_t)pointer; }

static CUresult attribute(void *result, int attribute, const void *pointer) {
    struct allocation *found = allocation_at(pointer);
    if (!result || !found) return CUDA_ERROR_INVALID_VALUE;
    int is_host = found->kind == PINNED_MEMORY || found->kind == REGISTERED_MEMORY;
    switch (attribute) {
    case CONTEXT: put(result, found->kind == POOL_MEMORY ? 0 : number(&found->device->primary), 8); break;
    case MEMORY_TYPE: put(result, is_host ? TYPE_HOST : TYPE_DEVICE, 4); break;
    case DEVICE_POINTER: put(result, number(pointer), 8); break;
    case HOST_POINTER:
        if (!is_host && found->kind != MANAGED_MEMORY) return CUDA_ERROR_INVALID_VALUE;
        put(result, number(pointer), 8);
        break;
    case SYNC_MEMOPS: case IS_LEGACY_IPC: put(result, 0, 1); break;
    case BUFFER_ID: put(result, found->id, 8); break;
    case IS_MANAGED: put(result, found->kind == MANAGED_MEMORY, 1); break;
    case ORDINAL: put(result, (uint64_t)found->device->ordinal, 4); break;
    case RANGE_START: put(result, number(found->address), 8); break;
    case RANGE_SIZE: put(result, found->bytes, 8); break;
    case MAPPED: put(result, 1, 1); break;
    case ALLOWED_HANDLES: put(result, 0, 8); break;
    case MEMPOOL_HANDLE: put(result, number(found->pool), 8); break;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuPointerGetAttribute(void *result, int name, void *pointer) {
    ENTER_ON(device);
    (void)device;
    return leave(attribute(result, name, pointer));
}

// Unlike the call for one attribute, this one gives zero for what the pointer does not have.
PUBLIC CUresult cuPointerGetAttributes(unsigned count, const int *names, void **results, void *pointer) {
    ENTER_ON(device);
    (void)device;
    for (unsigned place = 0; place < count; place++) {
        int is_short = names[place] == MEMORY_TYPE || names[place] == ORDINAL;
        int is_bool = names[place] == SYNC_MEMOPS || names[place] == IS_MANAGED || names[place] == MAPPED;
        if (attribute(results[place], names[place], pointer) == CUDA_SUCCESS) continue;
        memset(results[place], 0, is_bool ? 1 : is_short ? 4 : 8);
        if (names[place] == ORDINAL) put(results[place], UINT32_MAX - 1, 4);
    }
    return leave(CUDA_SUCCESS);
}
