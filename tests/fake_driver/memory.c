// The table of live allocations, and the quarantine of freed memory.
#include <stdlib.h>
#include <string.h>

#include "memory.h"

enum { ALIGNMENT = 512, FRESH = 0xCD, FREED = 0xDD, KEPT = 4096 };
static const size_t kept_bytes_limit = 64u << 20;

static struct allocation **table;  // sorted by address
static size_t used, capacity;
static unsigned long long next_id = 1;
static struct { unsigned char *address; size_t bytes; } kept[KEPT];  // a ring
static size_t oldest, kept_count, kept_bytes;
static long writes_after_free;

// The place of the first allocation after `address`.
static size_t place_after(const void *address) {
    size_t low = 0, high = used;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table[middle]->address <= (const unsigned char *)address) low = middle + 1;
        else high = middle;
    }
    return low;
}

static struct allocation *add(unsigned char *address, size_t bytes, enum memory_kind kind, struct device *device) {
    if (used == capacity) {
        capacity = capacity ? 2 * capacity : 64;
        table = realloc(table, capacity * sizeof *table);
        if (!table) abort();
    }
    struct allocation *made = allocate_zeroed(sizeof *made);
    made->address = address;
    made->bytes = bytes;
    made->kind = kind;
    made->device = device;
    made->id = next_id++;
    size_t place = place_after(address);
    memmove(table + place + 1, table + place, (used - place) * sizeof *table);
    table[place] = made;
    used++;
    return made;
}

CUresult allocate(struct device *device, enum memory_kind kind, size_t bytes, struct allocation **made) {
    if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
    if (kind != PINNED_MEMORY && bytes > device->total - device->used) return CUDA_ERROR_OUT_OF_MEMORY;
    unsigned char *address = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    if (!address) return CUDA_ERROR_OUT_OF_MEMORY;
    memset(address, FRESH, bytes);
    if (kind != PINNED_MEMORY) device->used += bytes;
    *made = add(address, bytes, kind, device);
    return CUDA_SUCCESS;
}

void *register_memory(struct device *device, enum memory_kind kind, void *address, size_t bytes) {
    return add(address, bytes, kind, device);
}

static void let_go_of_oldest(void) {
    unsigned char *address = kept[oldest].address;
    for (size_t place = 0; place < kept[oldest].bytes; place++) {
        if (address[place] == FREED) continue;
        writes_after_free++;
        break;
    }
    kept_bytes -= kept[oldest].bytes;
    free(address);
    oldest = (oldest + 1) % KEPT;
    kept_count--;
}

static void quarantine(unsigned char *address, size_t bytes) {
    memset(address, FREED, bytes);
    if (kept_count == KEPT) let_go_of_oldest();
    size_t place = (oldest + kept_count) % KEPT;
    kept[place].address = address;
    kept[place].bytes = bytes;
    kept_count++;
    kept_bytes += bytes;
    while (kept_bytes > kept_bytes_limit) let_go_of_oldest();
}

void release(struct allocation *allocation) {
    size_t place = place_after(allocation->address) - 1;
    memmove(table + place, table + place + 1, (used - place - 1) * sizeof *table);
    used--;
    if (allocation->pool) note_pool_release(allocation->pool, allocation->bytes);
    if (allocation->kind != PINNED_MEMORY && allocation->kind != REGISTERED_MEMORY)
        allocation->device->used -= allocation->bytes;
    if (allocation->kind != REGISTERED_MEMORY) quarantine(allocation->address, allocation->bytes);
    free(allocation);
}

struct allocation *allocation_at(const void *address) {
    size_t place = place_after(address);
    if (place == 0) return NULL;
    struct allocation *found = table[place - 1];
    return (const unsigned char *)address - found->address < (ptrdiff_t)found->bytes ? found : NULL;
}

int is_inside(const void *address, size_t bytes) {
    struct allocation *found = allocation_at(address);
    return found && bytes <= found->bytes - (size_t)((const unsigned char *)address - found->address);
}

int was_freed(const void *address) {
    for (size_t count = 0; count < kept_count; count++) {
        size_t place = (oldest + count) % KEPT;
        size_t distance = (size_t)((const unsigned char *)address - kept[place].address);
        if (distance < kept[place].bytes && !allocation_at(address)) return 1;
    }
    return 0;
}

void forget_pool(const struct pool *pool) {
    for (size_t place = 0; place < used; place++)
        if (table[place]->pool == pool) table[place]->pool = NULL;
}

int is_pageable(const void *address) { return !allocation_at(address); }

// ---- for tests

// Live allocations of a kind, in the order of `enum memory_kind`; of all kinds for -1.
PUBLIC long simt_fake_allocations(int kind) {
    long count = 0;
    lock();
    for (size_t place = 0; place < used; place++) count += kind < 0 || (int)table[place]->kind == kind;
    unlock();
    return count;
}

// How many freed allocations were written to after they were freed. Lets go of all freed memory.
PUBLIC long simt_fake_writes_after_free(void) {
    lock();
    while (kept_count) let_go_of_oldest();
    long count = writes_after_free;
    unlock();
    return count;
}
