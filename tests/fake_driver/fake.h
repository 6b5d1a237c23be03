// What the files of the fake driver share: status codes, handles, and the entry to every call.
//
// The types are written from the public documentation of the CUDA Driver API. A device pointer is a host pointer, and a
// handle the address of an object that stays in the list of its kind until it is destroyed, so that any other value
// is recognised as foreign.
#ifndef FAKE_H
#define FAKE_H

#include <stddef.h>
#include <stdint.h>

#define PUBLIC __attribute__((visibility("default")))

typedef int CUresult;
enum {
    CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46, CUDA_ERROR_NO_DEVICE = 100, CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_INVALID_IMAGE = 200,
    CUDA_ERROR_INVALID_CONTEXT = 201, CUDA_ERROR_NO_BINARY_FOR_GPU = 209, CUDA_ERROR_PEER_ACCESS_UNSUPPORTED = 217,
    CUDA_ERROR_INVALID_PTX = 218, CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_OPERATING_SYSTEM = 304, CUDA_ERROR_INVALID_HANDLE = 400, CUDA_ERROR_ILLEGAL_STATE = 401,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_NOT_READY = 600, CUDA_ERROR_ILLEGAL_ADDRESS = 700, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED = 704,
    CUDA_ERROR_PEER_ACCESS_NOT_ENABLED = 705, CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED = 712,
    CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED = 713, CUDA_ERROR_MISALIGNED_ADDRESS = 716, CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE = 720, CUDA_ERROR_NOT_PERMITTED = 800, CUDA_ERROR_NOT_SUPPORTED = 801,
    CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED = 900, CUDA_ERROR_STREAM_CAPTURE_INVALIDATED = 901,
    CUDA_ERROR_STREAM_CAPTURE_MERGE = 902, CUDA_ERROR_STREAM_CAPTURE_UNMATCHED = 903,
    CUDA_ERROR_STREAM_CAPTURE_UNJOINED = 904, CUDA_ERROR_STREAM_CAPTURE_ISOLATION = 905,
    CUDA_ERROR_STREAM_CAPTURE_IMPLICIT = 906, CUDA_ERROR_CAPTURED_EVENT = 907,
    CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD = 908, CUDA_ERROR_UNKNOWN = 999,
};

// ---- the entry to a call: calls.c

// Takes the lock, counts the call and gives an injected failure, in which case the lock is free again.
CUresult enter(const char *function);
// The same, and the device of the current context; gives INVALID_CONTEXT, or the failure that lost the context.
struct device;
CUresult enter_on_device(const char *function, struct device **device);
CUresult leave(CUresult result);
void lock(void);
void unlock(void);
void wait_for_change(void);  // until another thread calls announce_change; the lock is free meanwhile
void announce_change(void);
long setting(const char *name, long otherwise);  // an integer from the environment
extern __thread int in_host_function;

#define ENTER() \
    do { CUresult entered = enter(__func__); if (entered != CUDA_SUCCESS) return entered; } while (0)
#define ENTER_ON(device) \
    struct device *device; \
    do { CUresult entered = enter_on_device(__func__, &device); if (entered != CUDA_SUCCESS) return entered; } while (0)

// ---- objects: objects.c

enum kind { STREAM, EVENT, MODULE, FUNCTION, POOL, GRAPH, NODE, EXECUTION, ARRAY, TEXTURE, SURFACE, MAPPABLE,
            EXTERNAL_MEMORY, EXTERNAL_SEMAPHORE, KINDS };
struct object { enum kind kind; struct object *next, *previous; };

void *make(enum kind kind, size_t bytes);          // zeroed, in the list of its kind; starts with a struct object
void *find(enum kind kind, const void *handle);    // NULL for anything that is not a live object of the kind
void discard(void *object);
struct object *first_of(enum kind kind);
int live_objects(enum kind kind);
void *allocate_zeroed(size_t bytes);               // ends the process where the host has no memory left

// ---- devices and contexts: devices.c, contexts.c

enum { MAXIMUM_DEVICES = 16 };
struct context { struct device *device; int retained; unsigned flags; CUresult lost; };
struct device {
    int ordinal;
    struct context primary;
    size_t total, used;
    struct stream *legacy, *per_thread;
    struct pool *default_pool, *pool;
    unsigned peers;  // bit n: this device may reach device n
};
int device_count(void);
struct device *device_of(int ordinal);  // NULL where there is none
struct device *current_device(void);    // NULL without a current context
int driver_version(void);
int attribute_of(int attribute);        // -1 for one that the fake does not know
void lose_context(struct device *device, CUresult reason);

#endif
