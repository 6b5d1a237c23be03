// Access between devices. SIMT_FAKE_PEERS=0 makes devices that cannot reach each other.
#include "fake.h"

enum { PERFORMANCE = 1, ACCESS = 2, NATIVE_ATOMICS = 3, ARRAYS = 4 };

static int can_reach(int first, int second) { return first != second && setting("SIMT_FAKE_PEERS", 1) != 0; }

PUBLIC CUresult cuDeviceCanAccessPeer(int *can, int first, int second) {
    ENTER();
    if (!device_of(first) || !device_of(second)) return leave(CUDA_ERROR_INVALID_DEVICE);
    *can = can_reach(first, second);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetP2PAttribute(int *value, int attribute, int first, int second) {
    ENTER();
    if (!device_of(first) || !device_of(second) || first == second) return leave(CUDA_ERROR_INVALID_DEVICE);
    if (attribute < PERFORMANCE || attribute > ARRAYS) return leave(CUDA_ERROR_INVALID_VALUE);
    *value = attribute != PERFORMANCE && can_reach(first, second);
    return leave(CUDA_SUCCESS);
}

static struct device *peer_of(const void *context) {
    for (int ordinal = 0; ordinal < device_count(); ordinal++)
        if (&device_of(ordinal)->primary == context) return device_of(ordinal);
    return NULL;
}

PUBLIC CUresult cuCtxEnablePeerAccess(void *context, unsigned flags) {
    ENTER_ON(device);
    struct device *peer = peer_of(context);
    if (!peer || peer == device) return leave(CUDA_ERROR_INVALID_CONTEXT);
    if (flags) return leave(CUDA_ERROR_INVALID_VALUE);
    if (!can_reach(device->ordinal, peer->ordinal)) return leave(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    if (device->peers >> peer->ordinal & 1u) return leave(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
    device->peers |= 1u << peer->ordinal;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuCtxDisablePeerAccess(void *context) {
    ENTER_ON(device);
    struct device *peer = peer_of(context);
    if (!peer) return leave(CUDA_ERROR_INVALID_CONTEXT);
    if (!(device->peers >> peer->ordinal & 1u)) return leave(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED);
    device->peers &= ~(1u << peer->ordinal);
    return leave(CUDA_SUCCESS);
}
