// Names and words of status codes.
#include "fake.h"

#define STATUS(name, words) {name, #name, words}
static const struct { CUresult status; const char *name, *words; } statuses[] = {
    STATUS(CUDA_SUCCESS, "no error"),
    STATUS(CUDA_ERROR_INVALID_VALUE, "invalid argument"),
    STATUS(CUDA_ERROR_OUT_OF_MEMORY, "out of memory"),
    STATUS(CUDA_ERROR_NOT_INITIALIZED, "initialization error"),
    STATUS(CUDA_ERROR_DEVICE_UNAVAILABLE, "CUDA-capable device(s) is/are busy or unavailable"),
    STATUS(CUDA_ERROR_NO_DEVICE, "no CUDA-capable device is detected"),
    STATUS(CUDA_ERROR_INVALID_DEVICE, "invalid device ordinal"),
    STATUS(CUDA_ERROR_INVALID_IMAGE, "device kernel image is invalid"),
    STATUS(CUDA_ERROR_INVALID_CONTEXT, "invalid device context"),
    STATUS(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, "peer access is not supported between these two devices"),
    STATUS(CUDA_ERROR_NO_BINARY_FOR_GPU, "no kernel image is available for execution on the device"),
    STATUS(CUDA_ERROR_INVALID_PTX, "a PTX JIT compilation failed"),
    STATUS(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "the provided PTX was compiled with an unsupported toolchain."),
    STATUS(CUDA_ERROR_INVALID_HANDLE, "invalid resource handle"),
    STATUS(CUDA_ERROR_ILLEGAL_STATE, "the operation cannot be performed in the present state"),
    STATUS(CUDA_ERROR_NOT_FOUND, "named symbol not found"),
    STATUS(CUDA_ERROR_NOT_READY, "device not ready"),
    STATUS(CUDA_ERROR_ILLEGAL_ADDRESS, "an illegal memory access was encountered"),
    STATUS(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, "too many resources requested for launch"),
    STATUS(CUDA_ERROR_LAUNCH_TIMEOUT, "the launch timed out and was terminated"),
    STATUS(CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, "peer access is already enabled"),
    STATUS(CUDA_ERROR_PEER_ACCESS_NOT_ENABLED, "peer access has not been enabled"),
    STATUS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, "part or all of the requested memory range is already mapped"),
    STATUS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, "pointer does not correspond to a registered memory region"),
    STATUS(CUDA_ERROR_MISALIGNED_ADDRESS, "misaligned address"),
    STATUS(CUDA_ERROR_LAUNCH_FAILED, "unspecified launch failure"),
    STATUS(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "too many blocks in cooperative launch"),
    STATUS(CUDA_ERROR_NOT_PERMITTED, "operation not permitted"),
    STATUS(CUDA_ERROR_NOT_SUPPORTED, "operation not supported"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, "operation not permitted when stream is capturing"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, "operation failed due to a previous error during capture"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_MERGE, "operation would result in a merge of separate capture sequences"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED, "capture was not ended in the same stream as it began"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_UNJOINED, "capturing stream has unjoined work"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_ISOLATION, "dependency created on uncaptured work in another stream"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, "operation would make the legacy stream depend on a capturing stream"),
    STATUS(CUDA_ERROR_CAPTURED_EVENT, "operation not permitted on an event last recorded in a capturing stream"),
    STATUS(CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD, "attempt to end a capture from another thread"),
    STATUS(CUDA_ERROR_OPERATING_SYSTEM, "OS call failed or operation not supported on this OS"),
    STATUS(CUDA_ERROR_UNKNOWN, "unknown error"),
};

static long place_of(CUresult status) {
    for (size_t place = 0; place < sizeof statuses / sizeof *statuses; place++)
        if (statuses[place].status == status) return (long)place;
    return -1;
}

PUBLIC CUresult cuGetErrorName(CUresult status, const char **name) {
    long place = place_of(status);
    *name = place < 0 ? NULL : statuses[place].name;
    return place < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

PUBLIC CUresult cuGetErrorString(CUresult status, const char **words) {
    long place = place_of(status);
    *words = place < 0 ? NULL : statuses[place].words;
    return place < 0 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
