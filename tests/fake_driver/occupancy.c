// How many blocks and clusters of a function fit.
#include "launches.h"

enum { OPT_IN_SHARED_BYTES = 97, SHARED_PER_SM = 81, RESERVED_SHARED = 111, THREADS_PER_SM = 39, BLOCKS_PER_SM = 106 };
enum { REGISTERS_PER_SM = 82, SM_COUNT = 16, PORTABLE_CLUSTER = 8, LARGEST_CLUSTER = 16 };

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

PUBLIC CUresult cuOccupancyMaxPotentialClusterSize(int *blocks, void *handle, const struct configuration *given) {
    ENTER_FUNCTION(function, handle);
    if (!blocks || !given) return leave(CUDA_ERROR_INVALID_VALUE);
    *blocks = function->non_portable_cluster ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuOccupancyMaxActiveClusters(int *clusters, void *handle, const struct configuration *given) {
    ENTER_FUNCTION(function, handle);
    struct launch launch;
    if (!clusters || !given) return leave(CUDA_ERROR_INVALID_VALUE);
    CUresult result = read_configuration(given, function, &launch);
    if (result != CUDA_SUCCESS) return leave(result);
    const unsigned *block = launch.block, *cluster = launch.cluster;
    int blocks = resident_blocks(function, (int)(block[0] * block[1] * block[2]), launch.shared_bytes);
    *clusters = blocks * attribute_of(SM_COUNT) / (int)(cluster[0] * cluster[1] * cluster[2]);
    return leave(CUDA_SUCCESS);
}
