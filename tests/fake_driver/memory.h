// Live allocations of all kinds, by address.
#ifndef MEMORY_H
#define MEMORY_H

#include "fake.h"

enum memory_kind { DEVICE_MEMORY, POOL_MEMORY, MANAGED_MEMORY, PINNED_MEMORY, REGISTERED_MEMORY };
enum { MAPPED_BUFFER = 1 << 16 };  // among the flags: part of external memory
struct allocation {
    unsigned char *address;
    size_t bytes;
    enum memory_kind kind;
    struct device *device;
    struct pool *pool;
    unsigned flags;
    int is_being_freed;  // by a queued operation
    unsigned long long id;
};

// New memory of a kind, filled with 0xCD; the caller holds the lock. Device memory counts against the device's total.
CUresult allocate(struct device *device, enum memory_kind kind, size_t bytes, struct allocation **made);
// Forget an allocation. Its memory is filled with 0xDD and kept for a while, so that a late access is seen.
void release(struct allocation *allocation);
void *register_memory(struct device *device, enum memory_kind kind, void *address, size_t bytes);
struct allocation *allocation_at(const void *address);                  // that holds the address; NULL
void forget_pool(const struct pool *pool);                               // of all its allocations
int is_inside(const void *address, size_t bytes);                       // of one live allocation
int was_freed(const void *address);                                     // and is still kept
int is_pageable(const void *address);                                   // plain memory of the host
void note_pool_release(struct pool *pool, size_t bytes);  // pools.c

#endif
