// Memory and semaphores behind file descriptors: memory is a file that is mapped, a semaphore has a value.
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "memory.h"
#include "streams.h"

enum { OPAQUE_FD = 1, TIMELINE_FD = 9, PAGE = 4096 };
union handle { int fd; void *pointers[2]; };
struct memory_description { int type, padding; union handle handle; uint64_t bytes; unsigned flags; };
struct buffer_description { uint64_t offset, bytes; unsigned flags; };
struct semaphore_description { int type, padding; union handle handle; unsigned flags; };
struct external_memory { struct object object; int fd; uint64_t bytes; };
struct semaphore { struct object object; int fd; uint64_t value; };

PUBLIC CUresult cuImportExternalMemory(void **made, const struct memory_description *given) {
    ENTER_ON(device);
    (void)device;
    struct stat status;
    if (!made || !given || given->type != OPAQUE_FD || !given->bytes) return leave(CUDA_ERROR_INVALID_VALUE);
    if (fstat(given->handle.fd, &status) || (uint64_t)status.st_size < given->bytes)
        return leave(CUDA_ERROR_INVALID_VALUE);
    struct external_memory *memory = make(EXTERNAL_MEMORY, sizeof *memory);
    memory->fd = given->handle.fd;
    memory->bytes = given->bytes;
    *made = memory;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuExternalMemoryGetMappedBuffer(void **address, void *handle, const struct buffer_description *given) {
    ENTER_ON(device);
    struct external_memory *memory = find(EXTERNAL_MEMORY, handle);
    if (!memory) return leave(CUDA_ERROR_INVALID_HANDLE);
    if (!address || !given || given->offset % PAGE || given->offset + given->bytes > memory->bytes)
        return leave(CUDA_ERROR_INVALID_VALUE);
    void *mapped = mmap(NULL, given->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->fd, (off_t)given->offset);
    if (mapped == MAP_FAILED) return leave(CUDA_ERROR_INVALID_VALUE);
    struct allocation *made = register_memory(device, REGISTERED_MEMORY, mapped, given->bytes);
    made->flags = MAPPED_BUFFER;
    *address = mapped;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDestroyExternalMemory(void *handle) {
    ENTER_ON(device);
    (void)device;
    struct external_memory *memory = find(EXTERNAL_MEMORY, handle);
    if (!memory) return leave(CUDA_ERROR_INVALID_HANDLE);
    close(memory->fd);
    discard(memory);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuImportExternalSemaphore(void **made, const struct semaphore_description *given) {
    ENTER_ON(device);
    (void)device;
    struct stat status;
    int is_good = made && given && (given->type == OPAQUE_FD || given->type == TIMELINE_FD);
    if (!is_good || fstat(given->handle.fd, &status)) return leave(CUDA_ERROR_INVALID_VALUE);
    struct semaphore *semaphore = make(EXTERNAL_SEMAPHORE, sizeof *semaphore);
    semaphore->fd = given->handle.fd;
    *made = semaphore;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDestroyExternalSemaphore(void *handle) {
    ENTER_ON(device);
    (void)device;
    struct semaphore *semaphore = find(EXTERNAL_SEMAPHORE, handle);
    if (!semaphore) return leave(CUDA_ERROR_INVALID_HANDLE);
    close(semaphore->fd);
    discard(semaphore);
    return leave(CUDA_SUCCESS);
}

// Signals take effect at once, and a wait that nobody has signalled yet, which would block the stream, is refused.
static CUresult use(struct device *device, void **handles, const uint64_t *values, unsigned count, void *stream,
                    int is_signal) {
    struct semaphore *semaphore = count == 1 ? find(EXTERNAL_SEMAPHORE, handles[0]) : NULL;
    if (!semaphore || !stream_of(device, stream)) return CUDA_ERROR_INVALID_HANDLE;
    if (is_signal) semaphore->value = values[0];
    return is_signal || semaphore->value >= values[0] ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

PUBLIC CUresult cuSignalExternalSemaphoresAsync(void **handles, const void *values, unsigned count, void *stream) {
    ENTER_ON(device);
    return leave(use(device, handles, values, count, stream, 1));
}

PUBLIC CUresult cuWaitExternalSemaphoresAsync(void **handles, const void *values, unsigned count, void *stream) {
    ENTER_ON(device);
    return leave(use(device, handles, values, count, stream, 0));
}
