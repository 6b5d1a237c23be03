// Live objects of each kind, so that a handle that was never given or is destroyed is recognised.
#include <stdio.h>
#include <stdlib.h>

#include "fake.h"

static struct object *live[KINDS];

void *allocate_zeroed(size_t bytes) {
    void *memory = calloc(1, bytes ? bytes : 1);
    if (!memory) {
        fprintf(stderr, "fake driver: the host has no memory left\n");
        abort();
    }
    return memory;
}

void *make(enum kind kind, size_t bytes) {
    struct object *object = allocate_zeroed(bytes);
    object->kind = kind;
    object->next = live[kind];
    if (object->next) object->next->previous = object;
    live[kind] = object;
    return object;
}

void *find(enum kind kind, const void *handle) {
    struct object *object = live[kind];
    while (object && object != handle) object = object->next;
    return object;
}

void discard(void *discarded) {
    struct object *object = discarded;
    if (object->previous) object->previous->next = object->next;
    else live[object->kind] = object->next;
    if (object->next) object->next->previous = object->previous;
    free(object);
}

struct object *first_of(enum kind kind) { return live[kind]; }

int live_objects(enum kind kind) {
    int count = 0;
    for (struct object *object = live[kind]; object; object = object->next) count++;
    return count;
}

// For tests: live objects of a kind, in the order of `enum kind`.
PUBLIC int simt_fake_live(int kind) {
    lock();
    int count = kind >= 0 && kind < KINDS ? live_objects((enum kind)kind) : -1;
    unlock();
    return count;
}
