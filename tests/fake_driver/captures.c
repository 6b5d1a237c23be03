// Stream capture: operations become nodes of a graph; a stream joins by waiting for an event of a captured one.
#include <stdlib.h>

#include "graphs.h"

enum { GLOBAL_MODE, THREAD_MODE, RELAXED_MODE };
enum { NOT_CAPTURING, CAPTURING, SPOILT };
struct capture {
    struct graph *graph;
    struct stream *origin;
    int mode, is_spoilt;
    const void *thread;
    unsigned long long id;
    struct capture *next;
};
static struct capture *captures;
static unsigned long long next_id = 1;
static __thread int own_mode;  // its address also tells threads apart

static void move_frontier(struct stream *stream, struct nodes frontier) {
    free(stream->frontier.items);
    stream->frontier = frontier;
}

CUresult capture_operation(struct stream *stream, const struct operation *operation) {
    if (stream->capture->is_spoilt) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
    struct nodes frontier = {NULL, 0};
    append(&frontier, add_node(stream->capture->graph, &stream->frontier, operation));
    move_frontier(stream, frontier);
    return CUDA_SUCCESS;
}

CUresult wait_in_capture(struct stream *stream, struct event *event) {
    if (!event->capture) {
        stream->capture->is_spoilt = 1;
        return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    }
    if (stream->capture && stream->capture != event->capture) return CUDA_ERROR_STREAM_CAPTURE_MERGE;
    if (stream == stream->device->legacy) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    stream->capture = event->capture;
    for (size_t place = 0; place < event->frontier.count; place++)
        if (!holds(&stream->frontier, event->frontier.items[place]))
            append(&stream->frontier, event->frontier.items[place]);
    return CUDA_SUCCESS;
}

int default_stream_is_barred(const struct stream *stream) {
    if (stream != stream->device->legacy) return 0;
    for (struct object *object = first_of(STREAM); object; object = object->next) {
        const struct stream *other = (const struct stream *)object;
        if (other->device == stream->device && other->capture && !(other->flags & NON_BLOCKING)) return 1;
    }
    return 0;
}

CUresult check_unsafe_call(void) {
    for (struct capture *capture = captures; capture; capture = capture->next) {
        int is_ours = capture->thread == &own_mode;
        if (own_mode == RELAXED_MODE || capture->mode == RELAXED_MODE) continue;
        if (capture->mode == THREAD_MODE && !is_ours) continue;
        if (own_mode == THREAD_MODE && !is_ours) continue;
        capture->is_spoilt = 1;
        return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
    return CUDA_SUCCESS;
}

#define ENTER_STREAM(stream, handle) \
    ENTER_ON(device); \
    struct stream *stream = stream_of(device, handle); \
    if (!stream) return leave(CUDA_ERROR_INVALID_HANDLE)

static CUresult begin(struct stream *stream, int mode) {
    if (mode < GLOBAL_MODE || mode > RELAXED_MODE) return CUDA_ERROR_INVALID_VALUE;
    if (stream == stream->device->legacy) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    if (stream->capture) return CUDA_ERROR_ILLEGAL_STATE;
    struct capture *capture = allocate_zeroed(sizeof *capture);
    *capture = (struct capture){new_graph(), stream, mode, 0, &own_mode, next_id++, captures};
    captures = stream->capture = capture;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuStreamBeginCapture_v2(void *handle, int mode) {
    ENTER_STREAM(stream, handle);
    return leave(begin(stream, mode));
}

// Whether everything that was captured comes before the origin's end.
static int is_joined(const struct capture *capture) {
    const struct nodes *all = &capture->graph->nodes;
    for (size_t place = 0; place < all->count; place++) {
        struct node *node = all->items[place];
        int is_awaited = holds(&capture->origin->frontier, node);
        for (size_t other = 0; other < all->count && !is_awaited; other++)
            is_awaited = holds(&all->items[other]->before, node);
        if (!is_awaited) return 0;
    }
    return 1;
}

// Takes streams and events out of a capture that has ended.
static void forget(struct capture *capture) {
    for (struct object *object = first_of(STREAM); object; object = object->next) {
        struct stream *stream = (struct stream *)object;
        if (stream->capture != capture) continue;
        stream->capture = NULL;
        move_frontier(stream, (struct nodes){NULL, 0});
    }
    for (struct object *object = first_of(EVENT); object; object = object->next) {
        struct event *event = (struct event *)object;
        if (event->capture != capture) continue;
        event->capture = NULL;
        free(event->frontier.items);
        event->frontier = (struct nodes){NULL, 0};
    }
    struct capture **link = &captures;
    while (*link != capture) link = &(*link)->next;
    *link = capture->next;
    free(capture);
}

static CUresult end(struct stream *stream, void **handle) {
    struct capture *capture = stream->capture;
    if (!capture || !handle) return CUDA_ERROR_ILLEGAL_STATE;
    if (capture->origin != stream) return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
    if (capture->thread != &own_mode && capture->mode != RELAXED_MODE) return CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    CUresult result = capture->is_spoilt ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS;
    if (result == CUDA_SUCCESS && !is_joined(capture)) result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    *handle = result == CUDA_SUCCESS ? capture->graph : NULL;
    if (result != CUDA_SUCCESS) destroy_graph(capture->graph);
    forget(capture);
    return result;
}

PUBLIC CUresult cuStreamEndCapture(void *handle, void **graph) {
    ENTER_STREAM(stream, handle);
    return leave(end(stream, graph));
}

static int status_of(const struct stream *stream) {
    return !stream->capture ? NOT_CAPTURING : stream->capture->is_spoilt ? SPOILT : CAPTURING;
}

PUBLIC CUresult cuStreamIsCapturing(void *handle, int *status) {
    ENTER_STREAM(stream, handle);
    *status = status_of(stream);
    return leave(CUDA_SUCCESS);
}

// Every edge is a plain one: 8 bytes of zero. The reader expects one for each node, also where all are plain.
static const void *plain_edges(size_t count) {
    static __thread void *edges;
    free(edges);
    return edges = allocate_zeroed(8 * count);
}

PUBLIC CUresult cuStreamGetCaptureInfo_v3(void *handle, int *status, unsigned long long *id, void **graph,
                                          struct node *const **nodes, const void **edges, size_t *count) {
    ENTER_STREAM(stream, handle);
    *status = status_of(stream);
    if (*status != CAPTURING) return leave(CUDA_SUCCESS);
    if (id) *id = stream->capture->id;
    if (graph) *graph = stream->capture->graph;
    if (nodes) *nodes = stream->frontier.items;
    if (edges) *edges = plain_edges(stream->frontier.count);
    if (count) *count = stream->frontier.count;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuThreadExchangeStreamCaptureMode(int *mode) {
    ENTER();
    if (!mode || *mode < GLOBAL_MODE || *mode > RELAXED_MODE) return leave(CUDA_ERROR_INVALID_VALUE);
    int previous = own_mode;
    own_mode = *mode;
    *mode = previous;
    return leave(CUDA_SUCCESS);
}
