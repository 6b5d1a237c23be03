// Launches: the limits that the driver checks, a copy of the parameters, and the call of the function that tests set.
#include <string.h>

#include "launches.h"
#include "modules.h"

enum { REGISTERS_PER_BLOCK = 65536, CLUSTER_LIMIT = 8, NON_PORTABLE_CLUSTER_LIMIT = 16, SM_COUNT = 16 };
enum { ATTRIBUTE_COOPERATIVE = 2, ATTRIBUTE_CLUSTER = 4 };

// Called for each launch, without the lock. `module` is for simt_fake_global; `sizes` holds grid then block, x y z;
// `record` the parameters at the image's offsets. Gives the failure that ends the context, or 0.
typedef CUresult (*launch_function)(long image, const char *entry, void *module, const unsigned *sizes,
                                    unsigned shared_bytes, const unsigned char *record, size_t record_bytes);
static launch_function launcher;

PUBLIC void simt_fake_set_launch(launch_function function) {
    lock();
    launcher = function;
    unlock();
}

static int is_within(const unsigned *sizes, const int *limits) {
    for (int axis = 0; axis < 3; axis++)
        if (sizes[axis] == 0 || sizes[axis] > (unsigned)attribute_of(limits[axis])) return 0;
    return 1;
}

static CUresult check_cluster(const struct launch *launch) {
    const unsigned *cluster = launch->cluster;
    unsigned size = cluster[0] * cluster[1] * cluster[2];
    unsigned limit = launch->function->non_portable_cluster ? NON_PORTABLE_CLUSTER_LIMIT : CLUSTER_LIMIT;
    if (size == 0 || size > limit) return CUDA_ERROR_INVALID_VALUE;
    for (int axis = 0; axis < 3; axis++)
        if (launch->grid[axis] % cluster[axis]) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

CUresult check_launch(const struct launch *launch) {
    static const int block_limits[] = {2, 3, 4}, grid_limits[] = {5, 6, 7};
    const struct function *function = launch->function;
    const unsigned *block = launch->block;
    if (!is_within(launch->grid, grid_limits) || !is_within(block, block_limits)) return CUDA_ERROR_INVALID_VALUE;
    unsigned threads = block[0] * block[1] * block[2];
    if (threads > (unsigned)attribute_of(1)) return CUDA_ERROR_INVALID_VALUE;
    if (launch->shared_bytes > (unsigned)function->max_dynamic_bytes) return CUDA_ERROR_INVALID_VALUE;
    if (threads > (unsigned)function->max_threads) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    // Registers are given to warps in units of 8 a thread.
    unsigned registers = (unsigned)(function->registers + 7) / 8 * 8;
    if ((threads + 31) / 32 * 32 * registers > REGISTERS_PER_BLOCK) return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
    return check_cluster(launch);
}

static CUresult check_residency(const struct launch *launch) {
    const unsigned *grid = launch->grid, *block = launch->block;
    int per_processor = resident_blocks(launch->function, (int)(block[0] * block[1] * block[2]), launch->shared_bytes);
    size_t room = (size_t)per_processor * (size_t)attribute_of(SM_COUNT);
    size_t blocks = (size_t)grid[0] * grid[1] * grid[2];
    return blocks > room ? CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE : CUDA_SUCCESS;
}

void gather(const struct function *function, void **parameters, unsigned char *record) {
    for (size_t place = 0; place < function->parameter_count; place++) {
        const struct parameter *parameter = &function->parameters[place];
        memcpy(record + parameter->offset, parameters[place], parameter->bytes);
    }
}

static CUresult launch_on(struct device *device, struct launch *launch, void *handle, void *stream_handle,
                          void **parameters, void **extra) {
    struct stream *stream = stream_of(device, stream_handle);
    launch->function = function_of(handle);
    if (!stream || !launch->function || launch->function->module->device != stream->device)
        return CUDA_ERROR_INVALID_HANDLE;
    if (extra) return CUDA_ERROR_NOT_SUPPORTED;
    if (launch->function->parameter_count && !parameters) return CUDA_ERROR_INVALID_VALUE;
    CUresult result = check_launch(launch);
    if (result == CUDA_SUCCESS && launch->is_cooperative) result = check_residency(launch);
    if (result != CUDA_SUCCESS) return result;
    struct operation operation = {.work = LAUNCH, .launch = *launch};
    operation.launch.record = allocate_zeroed(launch->function->record_bytes);
    gather(launch->function, parameters, operation.launch.record);
    result = submit(stream, &operation);
    drop(&operation);
    return result;
}

#define SHAPE {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes

PUBLIC CUresult cuLaunchKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                               unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream,
                               void **parameters, void **extra) {
    ENTER_ON(device);
    struct launch launch = {NULL, SHAPE, NULL, 0, {1, 1, 1}};
    return leave(launch_on(device, &launch, function, stream, parameters, extra));
}

PUBLIC CUresult cuLaunchCooperativeKernel(void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                          unsigned block_x, unsigned block_y, unsigned block_z,
                                          unsigned shared_bytes, void *stream, void **parameters) {
    ENTER_ON(device);
    struct launch launch = {NULL, SHAPE, NULL, 1, {1, 1, 1}};
    return leave(launch_on(device, &launch, function, stream, parameters, NULL));
}

CUresult read_configuration(const struct configuration *given, struct function *function, struct launch *launch) {
    *launch = (struct launch){.function = function, .shared_bytes = given->shared_bytes, .cluster = {1, 1, 1}};
    memcpy(launch->grid, given->grid, sizeof launch->grid);
    memcpy(launch->block, given->block, sizeof launch->block);
    for (unsigned place = 0; place < given->count; place++) {
        const struct launch_attribute *attribute = &given->attributes[place];
        if (attribute->id == ATTRIBUTE_COOPERATIVE) launch->is_cooperative = attribute->number;
        if (attribute->id == ATTRIBUTE_CLUSTER) memcpy(launch->cluster, attribute->sizes, sizeof launch->cluster);
    }
    return check_cluster(launch);
}

PUBLIC CUresult cuLaunchKernelEx(const struct configuration *given, void *function, void **parameters, void **extra) {
    ENTER_ON(device);
    struct launch launch;
    if (!given) return leave(CUDA_ERROR_INVALID_VALUE);
    if (!function_of(function)) return leave(CUDA_ERROR_INVALID_HANDLE);
    CUresult result = read_configuration(given, function_of(function), &launch);
    if (result != CUDA_SUCCESS) return leave(result);
    return leave(launch_on(device, &launch, function, given->stream, parameters, extra));
}

CUresult run_launch(struct device *device, const struct launch *launch) {
    if (!find(FUNCTION, launch->function)) return CUDA_ERROR_INVALID_HANDLE;
    struct function function = *launch->function;
    unsigned sizes[6];
    memcpy(sizes, launch->grid, sizeof launch->grid);
    memcpy(sizes + 3, launch->block, sizeof launch->block);
    launch_function call = launcher;
    if (!call) return CUDA_SUCCESS;
    unlock();
    CUresult result = call(function.module->image, function.name, function.module, sizes, launch->shared_bytes,
                           launch->record, function.record_bytes);
    lock();
    if (result != CUDA_SUCCESS) lose_context(device, result);
    return result;
}
