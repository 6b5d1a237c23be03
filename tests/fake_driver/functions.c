// What a function says about itself, and how many of its blocks fit on a multiprocessor.
#include "launches.h"

enum {
    MAX_THREADS = 0, SHARED_BYTES = 1, CONST_BYTES = 2, LOCAL_BYTES = 3, REGISTERS = 4, PTX_VERSION = 5,
    BINARY_VERSION = 6, CACHE_MODE = 7, MAX_DYNAMIC_BYTES = 8, CARVEOUT = 9, LAST_CLUSTER = 14, NON_PORTABLE = 15,
};
enum { OPT_IN_SHARED_BYTES = 97, SHARED_PER_SM = 81, RESERVED_SHARED = 111, THREADS_PER_SM = 39, BLOCKS_PER_SM = 106 };
enum { REGISTERS_PER_SM = 82, SM_COUNT = 16, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

static CUresult get_attribute(int *value, int attribute, const struct function *function) {
    if (!value) return CUDA_ERROR_INVALID_VALUE;
    int binary = 10 * attribute_of(CAPABILITY_MAJOR) + attribute_of(CAPABILITY_MINOR);
    switch (attribute) {
    case MAX_THREADS: *value = function->max_threads; break;
    case SHARED_BYTES: *value = function->static_shared_bytes; break;
    case REGISTERS: *value = function->registers; break;
    case PTX_VERSION: case BINARY_VERSION: *value = binary; break;
    case MAX_DYNAMIC_BYTES: *value = function->max_dynamic_bytes; break;
    case CARVEOUT: *value = function->preferred_carveout; break;
    case NON_PORTABLE: *value = function->non_portable_cluster; break;
    default:
        if (attribute < 0 || attribute > NON_PORTABLE) return CUDA_ERROR_INVALID_VALUE;
        *value = 0;
    }
    return CUDA_SUCCESS;
}

static CUresult set_attribute(struct function *function, int attribute, int value) {
    switch (attribute) {
    case MAX_DYNAMIC_BYTES:
        if (value < 0 || value + function->static_shared_bytes > attribute_of(OPT_IN_SHARED_BYTES))
            return CUDA_ERROR_INVALID_VALUE;
        function->max_dynamic_bytes = value;
        return CUDA_SUCCESS;
    case CARVEOUT:
        if (value < -1 || value > 100) return CUDA_ERROR_INVALID_VALUE;
        function->preferred_carveout = value;
        return CUDA_SUCCESS;
    case NON_PORTABLE: function->non_portable_cluster = value; return CUDA_SUCCESS;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

#define ENTER_FUNCTION(function, handle) \
    ENTER_ON(device); \
    (void)device; \
    struct function *function = function_of(handle); \
    if (!function) return leave(CUDA_ERROR_INVALID_HANDLE)

PUBLIC CUresult cuFuncGetAttribute(int *value, int attribute, void *handle) {
    ENTER_FUNCTION(function, handle);
    return leave(get_attribute(value, attribute, function));
}

PUBLIC CUresult cuFuncSetAttribute(void *handle, int attribute, int value) {
    ENTER_FUNCTION(function, handle);
    return leave(set_attribute(function, attribute, value));
}

PUBLIC CUresult cuKernelGetAttribute(int *value, int attribute, void *handle, int ordinal) {
    ENTER_FUNCTION(function, handle);
    if (!device_of(ordinal)) return leave(CUDA_ERROR_INVALID_DEVICE);
    return leave(get_attribute(value, attribute, function));
}

PUBLIC CUresult cuKernelSetAttribute(int attribute, int value, void *handle, int ordinal) {
    ENTER_FUNCTION(function, handle);
    if (!device_of(ordinal)) return leave(CUDA_ERROR_INVALID_DEVICE);
    return leave(set_attribute(function, attribute, value));
}

PUBLIC CUresult cuFuncSetCacheConfig(void *handle, int preference) {
    ENTER_FUNCTION(function, handle);
    (void)function;
    return leave(preference < 0 || preference > 3 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

PUBLIC CUresult cuFuncGetModule(void **module, void *handle) {
    ENTER_FUNCTION(function, handle);
    *module = function->module;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuFuncGetName(const char **name, void *handle) {
    ENTER_FUNCTION(function, handle);
    *name = function->name;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuKernelGetName(const char **name, void *handle) {
    ENTER_FUNCTION(function, handle);
    *name = function->name;
    return leave(CUDA_SUCCESS);
}

static CUresult parameter_info(const struct function *function, size_t place, size_t *offset, size_t *bytes) {
    if (place >= function->parameter_count) return CUDA_ERROR_INVALID_VALUE;
    *offset = function->parameters[place].offset;
    if (bytes) *bytes = function->parameters[place].bytes;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuFuncGetParamInfo(void *handle, size_t place, size_t *offset, size_t *bytes) {
    ENTER_FUNCTION(function, handle);
    return leave(parameter_info(function, place, offset, bytes));
}

PUBLIC CUresult cuKernelGetParamInfo(void *handle, size_t place, size_t *offset, size_t *bytes) {
    ENTER_FUNCTION(function, handle);
    return leave(parameter_info(function, place, offset, bytes));
}

// ---- occupancy

static int smaller(int first, int second) { return first < second ? first : second; }

// Registers are given to warps in units of 256; shared memory to blocks, with 1 KiB that the system keeps for itself.
int resident_blocks(const struct function *function, int threads, size_t dynamic_bytes) {
    int warps = (threads + 31) / 32, blocks = attribute_of(BLOCKS_PER_SM);
    if (threads <= 0 || threads > function->max_threads) return 0;
    blocks = smaller(blocks, attribute_of(THREADS_PER_SM) / 32 / warps);
    int a_warp = (32 * function->registers + 255) / 256 * 256;
    if (a_warp) blocks = smaller(blocks, attribute_of(REGISTERS_PER_SM) / (a_warp * warps));
    int shared = function->static_shared_bytes + (int)dynamic_bytes + attribute_of(RESERVED_SHARED);
    return smaller(blocks, attribute_of(SHARED_PER_SM) / shared);
}

PUBLIC CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *handle, int threads, size_t bytes) {
    ENTER_FUNCTION(function, handle);
    if (!blocks || threads <= 0) return leave(CUDA_ERROR_INVALID_VALUE);
    *blocks = resident_blocks(function, threads, bytes);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, void *handle, int threads,
                                                                     size_t bytes, unsigned flags) {
    ENTER_FUNCTION(function, handle);
    if (!blocks || threads <= 0 || flags > 1) return leave(CUDA_ERROR_INVALID_VALUE);
    *blocks = resident_blocks(function, threads, bytes);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, void *handle, size_t (*bytes_of_block)(int),
                                                 size_t bytes, int limit) {
    ENTER_FUNCTION(function, handle);
    int best = 0, most = limit > 0 ? smaller(limit, function->max_threads) : function->max_threads;
    for (int threads = most / 32 * 32; threads >= 32; threads -= 32) {
        size_t dynamic = bytes_of_block ? bytes_of_block(threads) : bytes;
        int blocks = resident_blocks(function, threads, dynamic);
        if (blocks * threads <= best) continue;
        best = blocks * threads;
        *block = threads;
        *grid = blocks * attribute_of(SM_COUNT);
    }
    return leave(best ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES);
}

PUBLIC CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, void *handle, int blocks, int threads) {
    ENTER_FUNCTION(function, handle);
    if (blocks <= 0 || threads <= 0) return leave(CUDA_ERROR_INVALID_VALUE);
    int room = attribute_of(SHARED_PER_SM) / blocks - attribute_of(RESERVED_SHARED);
    room = smaller(room, attribute_of(OPT_IN_SHARED_BYTES)) - function->static_shared_bytes;
    *bytes = room > 0 ? (size_t)room : 0;
    return leave(CUDA_SUCCESS);
}
