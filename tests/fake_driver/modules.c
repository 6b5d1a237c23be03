// The calls that load images and tell about their functions and variables.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "modules.h"
#include "streams.h"

struct function *function_of(const void *handle) { return find(FUNCTION, handle); }

enum { ERROR_LOG = 5, ERROR_LOG_BYTES = 6 };

// The buffer for errors among a call's options, NULL where there is none. A number lies in its value's low bytes.
static char *error_log(unsigned count, const int *options, void **values, size_t *bytes) {
    char *log = NULL;
    for (unsigned place = 0; place < count; place++) {
        if (options[place] == ERROR_LOG) log = values[place];
        if (options[place] == ERROR_LOG_BYTES) *bytes = (unsigned)(uintptr_t)values[place];
    }
    return log;
}

static CUresult load(struct device *device, const void *image, void **handle, int is_library, char *log,
                     size_t log_bytes) {
    if (!handle) return CUDA_ERROR_INVALID_VALUE;
    struct module *module = NULL;
    CUresult result = load_image(device, image, &module, log, log_bytes);
    if (result != CUDA_SUCCESS) return result;
    module->is_library = is_library;
    *handle = module;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuModuleLoadData(void **handle, const void *image) {
    ENTER_ON(device);
    return leave(load(device, image, handle, 0, NULL, 0));
}

PUBLIC CUresult cuModuleLoadDataEx(void **handle, const void *image, unsigned count, int *options, void **values) {
    ENTER_ON(device);
    size_t bytes = 0;
    char *log = error_log(count, options, values, &bytes);
    return leave(load(device, image, handle, 0, log, bytes));
}

PUBLIC CUresult cuLibraryLoadData(void **handle, const void *image, int *options, void **values, unsigned count,
                                  int *library_options, void **library_values, unsigned library_count) {
    ENTER_ON(device);
    (void)options, (void)values, (void)count, (void)library_options, (void)library_values, (void)library_count;
    return leave(load(device, image, handle, 1, NULL, 0));
}

static CUresult end(void *handle, int is_library) {
    struct module *module = find(MODULE, handle);
    if (!module || module->is_library != is_library) return CUDA_ERROR_INVALID_HANDLE;
    CUresult result = finish_device(module->device);
    if (find(MODULE, handle)) unload(module);
    return result;
}

PUBLIC CUresult cuModuleUnload(void *handle) {
    ENTER_ON(device);
    (void)device;
    return leave(end(handle, 0));
}

PUBLIC CUresult cuLibraryUnload(void *handle) {
    ENTER_ON(device);
    (void)device;
    return leave(end(handle, 1));
}

static CUresult get_function(void **function, void *handle, const char *name) {
    struct module *module = find(MODULE, handle);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
    if (strcmp(module->function->name, name)) return CUDA_ERROR_NOT_FOUND;
    *function = module->function;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuModuleGetFunction(void **function, void *handle, const char *name) {
    ENTER_ON(device);
    (void)device;
    return leave(get_function(function, handle, name));
}

PUBLIC CUresult cuLibraryGetKernel(void **kernel, void *handle, const char *name) {
    ENTER_ON(device);
    (void)device;
    return leave(get_function(kernel, handle, name));
}

PUBLIC CUresult cuKernelGetFunction(void **function, void *kernel) {
    ENTER_ON(device);
    (void)device;
    if (!function_of(kernel)) return leave(CUDA_ERROR_INVALID_HANDLE);
    *function = kernel;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuModuleGetFunctionCount(unsigned *count, void *handle) {
    ENTER_ON(device);
    (void)device;
    if (!find(MODULE, handle)) return leave(CUDA_ERROR_INVALID_HANDLE);
    *count = 1;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuModuleEnumerateFunctions(void **functions, unsigned count, void *handle) {
    ENTER_ON(device);
    (void)device;
    struct module *module = find(MODULE, handle);
    if (!module) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (count) functions[0] = module->function;
    return leave(CUDA_SUCCESS);
}

static CUresult get_global(void **address, size_t *bytes, void *handle, const char *name) {
    struct module *module = find(MODULE, handle);
    if (!module) return CUDA_ERROR_INVALID_HANDLE;
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    for (struct global *global = module->globals; global; global = global->next) {
        if (strcmp(global->name, name)) continue;
        if (address) *address = global->address;
        if (bytes) *bytes = global->bytes;
        return CUDA_SUCCESS;
    }
    return CUDA_ERROR_NOT_FOUND;
}

PUBLIC CUresult cuModuleGetGlobal_v2(void **address, size_t *bytes, void *handle, const char *name) {
    ENTER_ON(device);
    (void)device;
    return leave(get_global(address, bytes, handle, name));
}

PUBLIC CUresult cuLibraryGetGlobal(void **address, size_t *bytes, void *handle, const char *name) {
    ENTER_ON(device);
    (void)device;
    return leave(get_global(address, bytes, handle, name));
}

// For the launch function of tests: the address of a module's variable, NULL where it has none of the name.
PUBLIC void *simt_fake_global(void *handle, const char *name) {
    void *address = NULL;
    lock();
    CUresult result = get_global(&address, NULL, handle, name);
    unlock();
    return result == CUDA_SUCCESS ? address : NULL;
}
