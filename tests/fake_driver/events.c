// Events: numbered records of a place in a stream, with the time at which it was reached.
#include <stdlib.h>
#include <time.h>

#include "graphs.h"
#include "streams.h"

enum { DISABLE_TIMING = 2, KNOWN_FLAGS = 7, INTERPROCESS = 4 };
static unsigned long long next_record = 1;

void note_event(const struct mark *mark) {
    struct event *event = find(EVENT, mark->event);
    if (!event) return;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->time = (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
    // A record in a graph has no number of its own: each launch of the graph makes one.
    unsigned long long record = mark->generation ? mark->generation : (event->recorded = next_record++);
    if (record > event->happened) event->happened = record;
}

PUBLIC CUresult cuEventCreate(void **handle, unsigned flags) {
    ENTER_ON(device);
    int is_good = handle && !(flags & ~(unsigned)KNOWN_FLAGS) && (!(flags & INTERPROCESS) || flags & DISABLE_TIMING);
    if (!is_good) return leave(CUDA_ERROR_INVALID_VALUE);
    struct event *event = make(EVENT, sizeof *event);
    event->device = device;
    event->flags = flags;
    *handle = event;
    return leave(CUDA_SUCCESS);
}

#define ENTER_EVENT(event, handle) \
    ENTER_ON(device); \
    struct event *event = find(EVENT, handle); \
    if (!event) return leave(CUDA_ERROR_INVALID_HANDLE); \
    (void)device

PUBLIC CUresult cuEventDestroy_v2(void *handle) {
    ENTER_EVENT(event, handle);
    free(event->frontier.items);
    discard(event);
    return leave(CUDA_SUCCESS);
}

static void remember_capture(struct event *event, const struct stream *stream) {
    event->capture = stream->capture;
    free(event->frontier.items);
    event->frontier = copy_of_nodes(&stream->frontier);
}

static CUresult record(struct event *event, struct stream *stream) {
    if (!stream || stream->device != event->device) return CUDA_ERROR_INVALID_HANDLE;
    remember_capture(event, stream);
    if (stream->capture) return CUDA_SUCCESS;
    event->recorded = next_record++;
    event->stream = stream;
    struct operation operation = {.work = RECORD, .mark = {event, event->recorded}};
    return submit(stream, &operation);
}

PUBLIC CUresult cuEventRecord(void *handle, void *stream) {
    ENTER_EVENT(event, handle);
    return leave(record(event, stream_of(device, stream)));
}

PUBLIC CUresult cuEventRecordWithFlags(void *handle, void *stream, unsigned flags) {
    ENTER_EVENT(event, handle);
    return leave(flags > 1 ? CUDA_ERROR_INVALID_VALUE : record(event, stream_of(device, stream)));
}

PUBLIC CUresult cuStreamWaitEvent(void *stream_handle, void *handle, unsigned flags) {
    ENTER_EVENT(event, handle);
    struct stream *stream = stream_of(device, stream_handle);
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (flags > 1) return leave(CUDA_ERROR_INVALID_VALUE);
    if (stream->capture || event->capture) return leave(wait_in_capture(stream, event));
    if (!event->recorded) return leave(CUDA_SUCCESS);
    struct operation operation = {.work = WAIT, .mark = {event, event->recorded}};
    return leave(submit(stream, &operation));
}

PUBLIC CUresult cuEventQuery(void *handle) {
    ENTER_EVENT(event, handle);
    if (event->capture) return leave(CUDA_ERROR_CAPTURED_EVENT);
    return leave(event->happened < event->recorded ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS);
}

PUBLIC CUresult cuEventSynchronize(void *handle) {
    ENTER_EVENT(event, handle);
    if (event->capture) return leave(CUDA_ERROR_CAPTURED_EVENT);
    return leave(finish_event(event, event->recorded));
}

PUBLIC CUresult cuEventElapsedTime_v2(float *milliseconds, void *start, void *end) {
    ENTER_EVENT(event, start);
    struct event *first = event, *second = find(EVENT, end);
    if (!second || !first->recorded || !second->recorded || (first->flags | second->flags) & DISABLE_TIMING)
        return leave(CUDA_ERROR_INVALID_HANDLE);
    if (first->happened < first->recorded || second->happened < second->recorded) return leave(CUDA_ERROR_NOT_READY);
    *milliseconds = (float)(second->time - first->time);
    return leave(CUDA_SUCCESS);
}
