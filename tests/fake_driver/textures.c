// Texture and surface objects: checked descriptors that can be read back, by tests too, which show them to kernels.
#include <string.h>

#include "arrays.h"

enum { FROM_ARRAY = 0, FROM_MIPMAPS = 1, FROM_ROW = 2, FROM_PLANE = 3 };
struct resource { int type, padding; union { void *array; void *address; char bytes[128]; }; unsigned flags; };
struct sampling {
    int address_modes[3], filter;
    unsigned flags, anisotropy;
    int mipmap_filter;
    float rest[7];
    int reserved[12];
};
struct view { char bytes[112]; };
struct texture {
    struct object object;
    struct resource resource;
    struct sampling sampling;
    struct view view;
    int has_view;
};

static CUresult check_resource(const struct resource *given) {
    if (!given || given->flags) return CUDA_ERROR_INVALID_VALUE;
    switch (given->type) {
    case FROM_ARRAY: return find(ARRAY, given->array) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    case FROM_ROW: case FROM_PLANE: return given->address ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case FROM_MIPMAPS: return CUDA_ERROR_NOT_SUPPORTED;
    default: return CUDA_ERROR_INVALID_VALUE;
    }
}

static CUresult check_sampling(const struct sampling *given) {
    if (!given || given->filter < 0 || given->filter > 1) return CUDA_ERROR_INVALID_VALUE;
    for (int axis = 0; axis < 3; axis++)
        if (given->address_modes[axis] < 0 || given->address_modes[axis] > 3) return CUDA_ERROR_INVALID_VALUE;
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuTexObjectCreate(void **handle, const struct resource *resource, const struct sampling *sampling,
                                  const struct view *view) {
    ENTER_ON(device);
    (void)device;
    CUresult result = check_resource(resource);
    if (result == CUDA_SUCCESS) result = check_sampling(sampling);
    if (result != CUDA_SUCCESS) return leave(result);
    struct texture *texture = make(TEXTURE, sizeof *texture);
    texture->resource = *resource;
    texture->sampling = *sampling;
    texture->has_view = view != NULL;
    if (view) texture->view = *view;
    *handle = texture;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuSurfObjectCreate(void **handle, const struct resource *resource) {
    ENTER_ON(device);
    (void)device;
    CUresult result = check_resource(resource);
    if (result == CUDA_SUCCESS && resource->type != FROM_ARRAY) result = CUDA_ERROR_INVALID_VALUE;
    if (result != CUDA_SUCCESS) return leave(result);
    struct texture *surface = make(SURFACE, sizeof *surface);
    surface->resource = *resource;
    *handle = surface;
    return leave(CUDA_SUCCESS);
}

#define ENTER_OBJECT(kind, found, handle) \
    ENTER_ON(device); \
    (void)device; \
    struct texture *found = find(kind, handle); \
    if (!found) return leave(CUDA_ERROR_INVALID_VALUE)

PUBLIC CUresult cuTexObjectDestroy(void *handle) {
    ENTER_OBJECT(TEXTURE, texture, handle);
    discard(texture);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuSurfObjectDestroy(void *handle) {
    ENTER_OBJECT(SURFACE, surface, handle);
    discard(surface);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuTexObjectGetResourceDesc(struct resource *given, void *handle) {
    ENTER_OBJECT(TEXTURE, texture, handle);
    *given = texture->resource;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuSurfObjectGetResourceDesc(struct resource *given, void *handle) {
    ENTER_OBJECT(SURFACE, surface, handle);
    *given = surface->resource;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuTexObjectGetTextureDesc(struct sampling *given, void *handle) {
    ENTER_OBJECT(TEXTURE, texture, handle);
    *given = texture->sampling;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuTexObjectGetResourceViewDesc(struct view *given, void *handle) {
    ENTER_OBJECT(TEXTURE, texture, handle);
    if (!texture->has_view) return leave(CUDA_ERROR_INVALID_VALUE);
    *given = texture->view;
    return leave(CUDA_SUCCESS);
}

struct image_seen { struct array_seen array; int address_modes[3], filter; unsigned flags; float border[4]; };

// For the launch function of tests: what a kernel is to see of a texture or surface; 0 where the handle is neither.
PUBLIC int simt_fake_image(void *handle, struct image_seen *seen) {
    lock();
    struct texture *found = find(TEXTURE, handle);
    if (!found) found = find(SURFACE, handle);
    int is_there = found && found->resource.type == FROM_ARRAY &&
                   see_array(found->resource.array, &seen->array) == CUDA_SUCCESS;
    if (is_there) {
        memcpy(seen->address_modes, found->sampling.address_modes, sizeof seen->address_modes);
        seen->filter = found->sampling.filter;
        seen->flags = found->sampling.flags;
        memcpy(seen->border, found->sampling.rest + 3, sizeof seen->border);
    }
    unlock();
    return is_there;
}
