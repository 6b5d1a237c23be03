// Streams. With SIMT_FAKE_DEFERRED=1 work waits until its stream, an event behind it or the device is waited for, so
// that a missing wait shows; otherwise it runs at once. A query of a stream lets it do one operation.
#include <stdlib.h>

#include "streams.h"

static unsigned long long next_number = 1, next_id = 3;

static struct stream *new_stream(struct device *device, unsigned flags, int priority) {
    struct stream *stream = make(STREAM, sizeof *stream);
    stream->device = device;
    stream->flags = flags;
    stream->priority = priority;
    stream->id = next_id++;
    return stream;
}

struct stream *stream_of(struct device *device, void *handle) {
    uintptr_t number = (uintptr_t)handle;
    if (number > 2) return find(STREAM, handle);
    struct stream **held = number == 2 ? &device->per_thread : &device->legacy;
    if (!*held) *held = new_stream(device, 0, 0);
    return *held;
}

static int waits_for(const struct stream *stream, const struct stream *other) {
    if (stream == other || stream->device != other->device) return 0;
    if ((stream->flags | other->flags) & NON_BLOCKING) return 0;
    return stream == stream->device->legacy || other == stream->device->legacy;
}

static CUresult run_until(struct stream *stream, unsigned long long number);

static struct stream *with_earlier_work(const struct stream *stream, unsigned long long number) {
    for (struct object *object = first_of(STREAM); object; object = object->next) {
        struct stream *other = (struct stream *)object;
        if (waits_for(stream, other) && other->first && other->first->number < number) return other;
    }
    return NULL;
}

// The default stream and the blocking ones wait for each other's earlier work.
static CUresult run_earlier(struct stream *stream, unsigned long long number) {
    struct stream *other;
    while ((other = with_earlier_work(stream, number))) {
        CUresult result = run_until(other, number);
        if (result != CUDA_SUCCESS) return result;
    }
    return CUDA_SUCCESS;
}

static void let_go(struct stream *stream) {
    stream->users--;
    announce_change();
}

static CUresult run_first(struct stream *stream) {
    struct operation *operation = stream->first;
    stream->users++;
    CUresult result = run_earlier(stream, operation->number);
    let_go(stream);
    if (stream->first != operation || stream->is_running) return result;  // another thread was faster
    stream->first = operation->next;
    if (!stream->first) stream->last = NULL;
    stream->is_running = 1;
    if (result == CUDA_SUCCESS) result = run_operation(stream->device, operation);
    stream->is_running = 0;
    announce_change();
    drop(operation);
    free(operation);
    return result;
}

// Run what was submitted to the stream before `number`.
static CUresult run_until(struct stream *stream, unsigned long long number) {
    CUresult result = CUDA_SUCCESS;
    stream->users++;
    while (result == CUDA_SUCCESS) {
        while (stream->is_running) wait_for_change();
        if (!stream->first || stream->first->number >= number) break;
        result = run_first(stream);
    }
    let_go(stream);
    return result == CUDA_SUCCESS ? stream->device->primary.lost : result;
}

CUresult finish_stream(struct stream *stream) {
    if (stream->capture) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream == stream->device->legacy) {
        CUresult result = run_earlier(stream, next_number);
        if (result != CUDA_SUCCESS) return result;
    }
    return run_until(stream, next_number);
}

static struct stream *with_work(const struct device *device) {
    for (struct object *object = first_of(STREAM); object; object = object->next) {
        struct stream *stream = (struct stream *)object;
        if (stream->device == device && !stream->capture && (stream->first || stream->is_running)) return stream;
    }
    return NULL;
}

CUresult finish_device(struct device *device) {
    struct stream *stream;
    while ((stream = with_work(device))) {
        CUresult result = run_until(stream, next_number);
        if (result != CUDA_SUCCESS) return result;
    }
    return device->primary.lost;
}

CUresult finish_event(struct event *event, unsigned long long generation) {
    struct device *device = event->device;
    while (find(EVENT, event) && event->happened < generation && find(STREAM, event->stream)) {
        struct stream *stream = event->stream;
        if (!stream->first && !stream->is_running) break;
        CUresult result = stream->is_running ? (wait_for_change(), CUDA_SUCCESS) : run_first(stream);
        if (result != CUDA_SUCCESS) return result;
    }
    return device->primary.lost;
}

CUresult submit(struct stream *stream, const struct operation *operation) {
    if (stream->capture) return capture_operation(stream, operation);
    if (default_stream_is_barred(stream)) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    if (!stream->first && !stream->is_running && !setting("SIMT_FAKE_DEFERRED", 0)) {
        stream->is_running = 1;
        CUresult result = run_operation(stream->device, operation);
        stream->is_running = 0;
        announce_change();
        // A launch that failed on the device is reported by the next wait, as the hardware does.
        return result == stream->device->primary.lost ? CUDA_SUCCESS : result;
    }
    struct operation *queued = allocate_zeroed(sizeof *queued);
    *queued = copy_of(operation);
    queued->number = next_number++;
    if (stream->last) stream->last->next = queued;
    else stream->first = queued;
    stream->last = queued;
    if (setting("SIMT_FAKE_DEFERRED", 0)) return CUDA_SUCCESS;
    CUresult result = run_until(stream, queued->number + 1);
    return result == stream->device->primary.lost ? CUDA_SUCCESS : result;
}

static CUresult create(void **handle, unsigned flags, int priority, struct device *device) {
    if (!handle || flags > NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
    if (priority > LEAST_PRIORITY) priority = LEAST_PRIORITY;
    if (priority < GREATEST_PRIORITY) priority = GREATEST_PRIORITY;
    *handle = new_stream(device, flags, priority);
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuStreamCreate(void **handle, unsigned flags) {
    ENTER_ON(device);
    return leave(create(handle, flags, 0, device));
}

PUBLIC CUresult cuStreamCreateWithPriority(void **handle, unsigned flags, int priority) {
    ENTER_ON(device);
    return leave(create(handle, flags, priority, device));
}

#define ENTER_STREAM(stream, handle) \
    ENTER_ON(device); \
    struct stream *stream = stream_of(device, handle); \
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE)

PUBLIC CUresult cuStreamDestroy_v2(void *handle) {
    ENTER_ON(device);
    (void)device;
    struct stream *stream = find(STREAM, handle);
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (stream->capture) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    CUresult result = run_until(stream, next_number);
    while (find(STREAM, handle) && (stream->users || stream->is_running)) wait_for_change();
    if (!find(STREAM, handle)) return leave(CUDA_ERROR_INVALID_HANDLE);
    discard(stream);
    return leave(result);
}

PUBLIC CUresult cuStreamSynchronize(void *handle) {
    ENTER_STREAM(stream, handle);
    return leave(finish_stream(stream));
}

PUBLIC CUresult cuStreamQuery(void *handle) {
    ENTER_STREAM(stream, handle);
    if (stream->capture) return leave(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (stream->is_running) return leave(CUDA_ERROR_NOT_READY);
    if (!stream->first) return leave(CUDA_SUCCESS);
    CUresult result = run_first(stream);
    return leave(result == CUDA_SUCCESS ? CUDA_ERROR_NOT_READY : result);
}

PUBLIC CUresult cuStreamGetPriority(void *handle, int *priority) {
    ENTER_STREAM(stream, handle);
    *priority = stream->priority;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuStreamGetFlags(void *handle, unsigned *flags) {
    ENTER_STREAM(stream, handle);
    *flags = stream->flags;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuStreamGetId(void *handle, unsigned long long *id) {
    ENTER_STREAM(stream, handle);
    *id = stream->id;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuStreamGetCtx(void *handle, void **context) {
    ENTER_STREAM(stream, handle);
    *context = &stream->device->primary;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuStreamGetDevice(void *handle, int *ordinal) {
    ENTER_STREAM(stream, handle);
    *ordinal = stream->device->ordinal;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuStreamGetCtx_v2(void *handle, void **context, void **green) {
    ENTER_STREAM(stream, handle);
    *context = &stream->device->primary;
    if (green) *green = NULL;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuLaunchHostFunc(void *handle, void (*function)(void *), void *data) {
    ENTER_STREAM(stream, handle);
    if (!function) return leave(CUDA_ERROR_INVALID_VALUE);
    struct operation operation = {.work = HOST_CALL, .host_call = {function, data}};
    return leave(submit(stream, &operation));
}
