// Primary contexts and each thread's stack of current contexts. A context is lost for good by a hardware fault.
#include "fake.h"
#include "streams.h"

enum { STACK_DEPTH = 64, LIMITS = 16 };
static __thread struct context *stack[STACK_DEPTH];
static __thread int depth;
static size_t limits[LIMITS] = {1024, 1 << 20, 8 << 20};

static struct context *context_of(const void *handle) {
    for (int ordinal = 0; ordinal < device_count(); ordinal++) {
        struct context *context = &device_of(ordinal)->primary;
        if (context == handle && context->retained > 0) return context;
    }
    return NULL;
}

struct device *current_device(void) {
    struct context *context = depth ? context_of(stack[depth - 1]) : NULL;
    return context ? context->device : NULL;
}

void lose_context(struct device *device, CUresult reason) {
    if (device->primary.lost == CUDA_SUCCESS) device->primary.lost = reason;
}

PUBLIC CUresult cuDevicePrimaryCtxRetain(void **context, int handle) {
    ENTER();
    struct device *device = device_of(handle);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    device->primary.retained++;
    *context = &device->primary;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDevicePrimaryCtxRelease_v2(int handle) {
    ENTER();
    struct device *device = device_of(handle);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    if (!device->primary.retained) return leave(CUDA_ERROR_INVALID_CONTEXT);
    device->primary.retained--;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDevicePrimaryCtxReset_v2(int handle) {
    ENTER();
    struct device *device = device_of(handle);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    device->primary.lost = CUDA_SUCCESS;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDevicePrimaryCtxGetState(int handle, unsigned *flags, int *active) {
    ENTER();
    struct device *device = device_of(handle);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    *flags = device->primary.flags;
    *active = device->primary.retained > 0;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDevicePrimaryCtxSetFlags_v2(int handle, unsigned flags) {
    ENTER();
    struct device *device = device_of(handle);
    if (!device) return leave(CUDA_ERROR_INVALID_DEVICE);
    device->primary.flags = flags;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetCurrent(void **context) {
    ENTER();
    *context = depth ? stack[depth - 1] : NULL;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxSetCurrent(void *handle) {
    ENTER();
    if (!handle) {
        depth -= depth > 0;
        return leave(CUDA_SUCCESS);
    }
    struct context *context = context_of(handle);
    if (!context) return leave(CUDA_ERROR_INVALID_CONTEXT);
    depth += depth == 0;
    stack[depth - 1] = context;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxPushCurrent_v2(void *handle) {
    ENTER();
    struct context *context = context_of(handle);
    if (!context || depth == STACK_DEPTH) return leave(CUDA_ERROR_INVALID_CONTEXT);
    stack[depth++] = context;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxPopCurrent_v2(void **context) {
    ENTER();
    if (!depth) return leave(CUDA_ERROR_INVALID_CONTEXT);
    depth--;
    if (context) *context = stack[depth];
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetDevice(int *handle) {
    ENTER();
    struct device *device = current_device();
    if (!device) return leave(CUDA_ERROR_INVALID_CONTEXT);
    *handle = device->ordinal;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetDevice_v2(int *handle, void *context) {
    ENTER();
    struct context *found = context ? context_of(context) : current_device() ? &current_device()->primary : NULL;
    if (!found) return leave(CUDA_ERROR_INVALID_CONTEXT);
    *handle = found->device->ordinal;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetFlags(unsigned *flags) {
    ENTER_ON(device);
    *flags = device->primary.flags;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetApiVersion(void *context, unsigned *version) {
    ENTER();
    if (context && !context_of(context)) return leave(CUDA_ERROR_INVALID_CONTEXT);
    *version = (unsigned)driver_version();
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    ENTER_ON(device);
    if (least) *least = LEAST_PRIORITY;
    if (greatest) *greatest = GREATEST_PRIORITY;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxSynchronize(void) {
    ENTER_ON(device);
    CUresult result = check_unsafe_call();
    return leave(result == CUDA_SUCCESS ? finish_device(device) : result);
}

PUBLIC CUresult cuCtxSynchronize_v2(void *context) {
    ENTER();
    struct context *found = context ? context_of(context) : current_device() ? &current_device()->primary : NULL;
    if (!found) return leave(CUDA_ERROR_INVALID_CONTEXT);
    return leave(found->lost == CUDA_SUCCESS ? finish_device(found->device) : found->lost);
}

PUBLIC CUresult cuCtxGetLimit(size_t *value, int limit) {
    ENTER_ON(device);
    if (limit < 0 || limit >= LIMITS) return leave(CUDA_ERROR_INVALID_VALUE);
    *value = limits[limit];
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxSetLimit(int limit, size_t value) {
    ENTER_ON(device);
    if (limit < 0 || limit >= LIMITS) return leave(CUDA_ERROR_INVALID_VALUE);
    limits[limit] = value;
    return leave(CUDA_SUCCESS);
}
