// Streams, and the operations that they queue, that graphs hold and that run.
#ifndef STREAMS_H
#define STREAMS_H

#include "fake.h"

enum { LEAST_PRIORITY = 0, GREATEST_PRIORITY = -5, NON_BLOCKING = 1 };

enum work { NOTHING, COPY, FILL, LAUNCH, HOST_CALL, RECORD, WAIT, FREE_MEMORY, WHOLE_GRAPH };
struct side { unsigned char *address; size_t pitch, slice; };
struct copy { struct side from, to; size_t width, height, depth; };  // width in bytes
struct fill { unsigned char *address; size_t pitch, width, height; unsigned value, element; };  // width in elements
struct launch {
    struct function *function;
    unsigned grid[3], block[3], shared_bytes;
    unsigned char *record;  // the parameters at the image's offsets; the operation owns it
    int is_cooperative;
    unsigned cluster[3];
};
struct host_call { void (*function)(void *); void *data; };
struct mark { struct event *event; unsigned long long generation; };

struct operation {
    enum work work;
    union {
        struct copy copy;
        struct fill fill;
        struct launch launch;
        struct host_call host_call;
        struct mark mark;
        void *memory;
        struct execution *graph;
    };
    struct operation *next;
    unsigned long long number;  // in the order of submission, over all streams
};

struct capture;
struct nodes { struct node **items; size_t count; };
struct stream {
    struct object object;
    struct device *device;
    unsigned flags;
    int priority;
    unsigned long long id;
    struct operation *first, *last;
    int is_running;
    int users;  // calls that look at the stream again after they had let go of the lock
    struct capture *capture;
    struct nodes frontier;  // while capturing: what the next operation depends on
};

// A stream from its handle: NULL and 1 are the legacy default stream, 2 the per-thread one. NULL for anything else.
struct stream *stream_of(struct device *device, void *handle);
// Run an operation, now or when the stream is waited for, or add it to the graph that the stream is captured into.
CUresult submit(struct stream *stream, const struct operation *operation);
CUresult finish_stream(struct stream *stream);
CUresult finish_device(struct device *device);
CUresult finish_event(struct event *event, unsigned long long generation);

// operations.c
CUresult run_operation(struct device *device, const struct operation *operation);
struct operation copy_of(const struct operation *operation);
void drop(struct operation *operation);  // what it owns

// launches.c
CUresult run_launch(struct device *device, const struct launch *launch);

// events.c
struct event {
    struct object object;
    struct device *device;
    unsigned flags;
    unsigned long long recorded, happened;  // numbers of records: the last submitted, the last that ended
    double time;
    struct stream *stream;
    struct capture *capture;  // the capture that it was last recorded in, and where
    struct nodes frontier;
};
void note_event(const struct mark *mark);

// captures.c
CUresult capture_operation(struct stream *stream, const struct operation *operation);
CUresult wait_in_capture(struct stream *stream, struct event *event);
int default_stream_is_barred(const struct stream *stream);  // since a captured stream would have to wait for it
CUresult check_unsafe_call(void);  // a call that may not be made while this thread captures

// executions.c
CUresult run_graph(struct device *device, struct execution *execution);

#endif
