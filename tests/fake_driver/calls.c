// The entry to every call: one lock, counts by name, injected failures, what the environment sets.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

enum { MAXIMUM_CALLS = 512, MAXIMUM_FAILURES = 16, NAME_BYTES = 64 };
struct count { char name[NAME_BYTES]; long calls; };
struct failure { char name[NAME_BYTES]; long remaining; CUresult result; };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct count counts[MAXIMUM_CALLS];
static struct failure failures[MAXIMUM_FAILURES];
static int initialised;
__thread int in_host_function;

void lock(void) { pthread_mutex_lock(&mutex); }
void unlock(void) { pthread_mutex_unlock(&mutex); }
void wait_for_change(void) { pthread_cond_wait(&changed, &mutex); }
void announce_change(void) { pthread_cond_broadcast(&changed); }

CUresult leave(CUresult result) {
    unlock();
    return result;
}

long setting(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

// A function's name without the version of its signature: cuMemAlloc for cuMemAlloc_v2.
static void plain_name(const char *function, char *name) {
    snprintf(name, NAME_BYTES, "%s", function);
    char *end = strstr(name, "_v");
    if (end && end[2] >= '0' && end[2] <= '9' && !end[3]) *end = '\0';
}

static struct count *count_of(const char *name) {
    for (struct count *count = counts; count < counts + MAXIMUM_CALLS; count++) {
        if (!count->name[0]) memcpy(count->name, name, NAME_BYTES);
        if (!strcmp(count->name, name)) return count;
    }
    abort();  // more functions than the fake has
}

static CUresult injected(const char *name) {
    for (struct failure *failure = failures; failure < failures + MAXIMUM_FAILURES; failure++) {
        if (strcmp(failure->name, name) || failure->remaining == 0) continue;
        if (--failure->remaining == 0) return failure->result;
    }
    return CUDA_SUCCESS;
}

CUresult enter(const char *function) {
    char name[NAME_BYTES] = "";
    plain_name(function, name);
    lock();
    count_of(name)->calls++;
    CUresult result = injected(name);
    if (result == CUDA_SUCCESS && in_host_function) result = CUDA_ERROR_NOT_PERMITTED;
    if (result == CUDA_SUCCESS && !initialised && strcmp(name, "cuInit") && strcmp(name, "cuDriverGetVersion"))
        result = CUDA_ERROR_NOT_INITIALIZED;
    return result == CUDA_SUCCESS ? result : leave(result);
}

CUresult enter_on_device(const char *function, struct device **device) {
    CUresult result = enter(function);
    if (result != CUDA_SUCCESS) return result;
    *device = current_device();
    if (!*device) return leave(CUDA_ERROR_INVALID_CONTEXT);
    return (*device)->primary.lost == CUDA_SUCCESS ? CUDA_SUCCESS : leave((*device)->primary.lost);
}

PUBLIC CUresult cuInit(unsigned flags) {
    ENTER();
    if (flags) return leave(CUDA_ERROR_INVALID_VALUE);
    if (device_count() == 0) return leave(CUDA_ERROR_NO_DEVICE);
    initialised = 1;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDriverGetVersion(int *version) {
    ENTER();
    if (!version) return leave(CUDA_ERROR_INVALID_VALUE);
    *version = driver_version();
    return leave(CUDA_SUCCESS);
}

// ---- for tests

// How often a function was called since the start, or since the last simt_fake_reset_counts.
PUBLIC long simt_fake_calls(const char *function) {
    char name[NAME_BYTES] = "";
    plain_name(function, name);
    lock();
    long calls = count_of(name)->calls;
    unlock();
    return calls;
}

PUBLIC void simt_fake_reset_counts(void) {
    lock();
    for (struct count *count = counts; count < counts + MAXIMUM_CALLS; count++) count->calls = 0;
    unlock();
}

// Make the call of `function` that is number `position` from now (1 is the next) give `result` and do nothing.
// Gives 0 where too many failures wait already.
PUBLIC int simt_fake_fail(const char *function, long position, CUresult result) {
    int found = 0;
    lock();
    for (struct failure *failure = failures; failure < failures + MAXIMUM_FAILURES && !found; failure++) {
        if (failure->remaining) continue;
        memset(failure->name, 0, NAME_BYTES);
        plain_name(function, failure->name);
        failure->remaining = position;
        failure->result = result;
        found = 1;
    }
    unlock();
    return found;
}
