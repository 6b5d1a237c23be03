// How callers find functions: by name and the CUDA version that brought the signature. A function of a version above
// the driver's, or one that the fake does not have, is not found, and the bindings raise when it is called.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "fake.h"

// Signatures whose symbol has a suffix. Every other function has its plain name as symbol.
static const struct { const char *name; int version; const char *suffix; } suffixed[] = {
    {"cuCtxGetDevice", 13000, "_v2"}, {"cuCtxPopCurrent", 4000, "_v2"}, {"cuCtxPushCurrent", 4000, "_v2"},
    {"cuCtxSynchronize", 13000, "_v2"}, {"cuDeviceGetUuid", 11040, "_v2"}, {"cuDevicePrimaryCtxRelease", 11000, "_v2"},
    {"cuDevicePrimaryCtxReset", 11000, "_v2"}, {"cuDevicePrimaryCtxSetFlags", 11000, "_v2"},
    {"cuDeviceTotalMem", 3020, "_v2"}, {"cuEventDestroy", 4000, "_v2"}, {"cuEventElapsedTime", 12080, "_v2"},
    {"cuMemAdvise", 12020, "_v2"}, {"cuMemAlloc", 3020, "_v2"}, {"cuMemAllocHost", 3020, "_v2"},
    {"cuMemAllocPitch", 3020, "_v2"}, {"cuMemFree", 3020, "_v2"}, {"cuMemGetAddressRange", 3020, "_v2"},
    {"cuMemGetInfo", 3020, "_v2"}, {"cuMemHostGetDevicePointer", 3020, "_v2"}, {"cuMemHostRegister", 6050, "_v2"},
    {"cuMemPrefetchAsync", 12020, "_v2"}, {"cuMemcpy2D", 3020, "_v2"}, {"cuMemcpy2DAsync", 3020, "_v2"},
    {"cuMemcpy2DUnaligned", 3020, "_v2"}, {"cuMemcpy3D", 3020, "_v2"}, {"cuMemcpy3DAsync", 3020, "_v2"},
    {"cuMemcpyDtoD", 3020, "_v2"}, {"cuMemcpyDtoDAsync", 3020, "_v2"}, {"cuMemcpyDtoH", 3020, "_v2"},
    {"cuMemcpyDtoHAsync", 3020, "_v2"}, {"cuMemcpyHtoD", 3020, "_v2"}, {"cuMemcpyHtoDAsync", 3020, "_v2"},
    {"cuIpcOpenMemHandle", 11000, "_v2"}, {"cuMemsetD16", 3020, "_v2"}, {"cuMemsetD2D16", 3020, "_v2"}, {"cuMemsetD2D32", 3020, "_v2"},
    {"cuMemsetD2D8", 3020, "_v2"}, {"cuMemsetD32", 3020, "_v2"}, {"cuMemsetD8", 3020, "_v2"},
    {"cuModuleGetGlobal", 3020, "_v2"}, {"cuStreamBeginCapture", 10010, "_v2"}, {"cuStreamDestroy", 4000, "_v2"},
    {"cuStreamGetCaptureInfo", 12030, "_v3"}, {"cuStreamGetCtx", 12050, "_v2"},
    {"cuStreamUpdateCaptureDependencies", 12030, "_v2"}, {"cuArrayCreate", 3020, "_v2"},
    {"cuArray3DCreate", 3020, "_v2"}, {"cuArrayGetDescriptor", 3020, "_v2"}, {"cuArray3DGetDescriptor", 3020, "_v2"},
    {"cuGraphAddDependencies", 12030, "_v2"}, {"cuGraphAddKernelNode", 12000, "_v2"},
    {"cuGraphExecKernelNodeSetParams", 12000, "_v2"}, {"cuGraphGetEdges", 12030, "_v2"},
    {"cuGraphKernelNodeGetParams", 12000, "_v2"}, {"cuGraphKernelNodeSetParams", 12000, "_v2"},
    {"cuGraphNodeGetDependencies", 12030, "_v2"}, {"cuGraphNodeGetDependentNodes", 12030, "_v2"},
    {"cuGraphExecUpdate", 12000, "_v2"}, {"cuGraphRemoveDependencies", 12030, "_v2"},
};

static void *symbol(const char *name, const char *suffix) {
    char text[128];
    Dl_info where;
    snprintf(text, sizeof text, "%s%s", name, suffix);
    if (!dladdr((void *)(uintptr_t)&symbol, &where)) return NULL;
    void *library = dlopen(where.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    return library ? dlsym(library, text) : NULL;
}

static void *look_up(const char *name, int version) {
    for (size_t place = 0; place < sizeof suffixed / sizeof *suffixed; place++)
        if (!strcmp(suffixed[place].name, name) && suffixed[place].version == version)
            return symbol(name, suffixed[place].suffix);
    return symbol(name, "");
}

PUBLIC CUresult cuGetProcAddress_v2(const char *name, void **function, int version, uint64_t flags, int *status) {
    (void)flags;
    if (!name || !function) return CUDA_ERROR_INVALID_VALUE;
    int is_too_new = version > driver_version();
    *function = is_too_new ? NULL : look_up(name, version);
    if (status) *status = *function ? 0 : is_too_new ? 2 : 1;
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
