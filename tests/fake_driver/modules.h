// Loaded images and their functions.
#ifndef MODULES_H
#define MODULES_H

#include "fake.h"

enum { MAXIMUM_PARAMETERS = 1024, NAME_BYTES = 256 };
struct parameter { size_t offset, bytes; };
struct global { char name[NAME_BYTES]; size_t bytes; unsigned char *address; struct global *next; };
struct function {
    struct object object;
    struct module *module;
    char name[NAME_BYTES];
    int registers, static_shared_bytes, max_threads, max_dynamic_bytes;
    int preferred_carveout, non_portable_cluster;
    size_t parameter_count, record_bytes;
    struct parameter *parameters;
};
struct module {
    struct object object;
    struct device *device;
    long image;  // the number in the image's first line
    struct function *function;
    struct global *globals;
    int is_library;
};

// Why PTX is refused goes to `log`, which may be NULL.
CUresult load_image(struct device *device, const char *image, struct module **made, char *log, size_t log_bytes);
void unload(struct module *module);
struct function *function_of(const void *handle);  // a CUfunction or CUkernel

#define ENTER_FUNCTION(function, handle) \
    ENTER_ON(device); \
    (void)device; \
    struct function *function = function_of(handle); \
    if (!function) return leave(CUDA_ERROR_INVALID_HANDLE)

#endif
