// What a function says about itself.
#include "modules.h"

enum {
    MAX_THREADS = 0, SHARED_BYTES = 1, CONST_BYTES = 2, LOCAL_BYTES = 3, REGISTERS = 4, PTX_VERSION = 5,
    BINARY_VERSION = 6, CACHE_MODE = 7, MAX_DYNAMIC_BYTES = 8, CARVEOUT = 9, NON_PORTABLE = 14, LAST = 15,
};
enum { OPT_IN_SHARED_BYTES = 97, CAPABILITY_MAJOR = 75, CAPABILITY_MINOR = 76 };

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
        if (attribute < 0 || attribute > LAST) return CUDA_ERROR_INVALID_VALUE;
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

// Everything is loaded at once here.
PUBLIC CUresult cuFuncIsLoaded(int *state, void *handle) {
    ENTER_FUNCTION(function, handle);
    (void)function;
    *state = 1;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuFuncLoad(void *handle) {
    ENTER_FUNCTION(function, handle);
    (void)function;
    return leave(CUDA_SUCCESS);
}
