// Devices: how many, and what each says about itself.
//
// From the environment, read at the first use: SIMT_FAKE_DEVICES (1), SIMT_FAKE_MEMORY in bytes (1 GiB),
// SIMT_FAKE_DRIVER (13000), SIMT_FAKE_CAPABILITY (90), SIMT_FAKE_SMS (132).
#include <string.h>
#include <stdio.h>

#include "fake.h"

enum { COMPUTE_MAJOR = 75, COMPUTE_MINOR = 76, SM_COUNT = 16 };
static struct device devices[MAXIMUM_DEVICES];
static int known = -1;
static const char device_name[] = "Fake GPU";

// Figures of an H100, by number of CUdevice_attribute.
static const struct { int attribute, value; } figures[] = {
    {1, 1024}, {2, 1024}, {3, 1024}, {4, 64},                 // threads of a block, and along x, y, z
    {5, 2147483647}, {6, 65535}, {7, 65535},                  // blocks along x, y, z
    {8, 49152}, {9, 65536}, {10, 32}, {11, 2147483647},       // shared bytes, constant bytes, warp, pitch
    {12, 65536}, {13, 1980000}, {14, 512}, {15, 1},           // registers of a block, clock in kHz, texture alignment
    {17, 0}, {18, 0}, {19, 1}, {20, 0},                       // no timeout, not integrated, maps host memory
    {21, 131072}, {22, 131072}, {23, 65536}, {24, 16384}, {25, 16384}, {26, 16384},  // texture extents
    {27, 32768}, {28, 32768}, {29, 2048}, {30, 512}, {31, 1}, {32, 1}, {34, 0}, {35, 0},
    {36, 2619000}, {37, 5120}, {38, 52428800}, {39, 2048}, {40, 3}, {41, 1}, {50, 0}, {51, 32},
    {78, 1}, {79, 1}, {80, 1}, {81, 233472}, {82, 65536}, {83, 1}, {84, 0}, {86, 0}, {87, 2}, {88, 0}, {89, 1},
    {90, 1}, {91, 1}, {95, 1}, {97, 232448}, {98, 1}, {99, 1}, {100, 0}, {101, 0}, {102, 0}, {106, 32}, {108, 0},
    {109, 0}, {111, 1024}, {115, 1}, {119, 0}, {120, 1},      // memory pools; clusters
};

int device_count(void) {
    if (known < 0) {
        long count = setting("SIMT_FAKE_DEVICES", 1);
        known = count < 0 ? 0 : count > MAXIMUM_DEVICES ? MAXIMUM_DEVICES : (int)count;
        for (int ordinal = 0; ordinal < known; ordinal++) {
            devices[ordinal].ordinal = ordinal;
            devices[ordinal].primary.device = &devices[ordinal];
            devices[ordinal].total = (size_t)setting("SIMT_FAKE_MEMORY", 1L << 30);
        }
    }
    return known;
}

struct device *device_of(int ordinal) {
    return ordinal >= 0 && ordinal < device_count() ? &devices[ordinal] : NULL;
}

int driver_version(void) { return (int)setting("SIMT_FAKE_DRIVER", 13000); }

int attribute_of(int attribute) {
    int capability = (int)setting("SIMT_FAKE_CAPABILITY", 90);
    if (attribute == COMPUTE_MAJOR) return capability / 10;
    if (attribute == COMPUTE_MINOR) return capability % 10;
    if (attribute == SM_COUNT) return (int)setting("SIMT_FAKE_SMS", 132);
    for (size_t place = 0; place < sizeof figures / sizeof *figures; place++)
        if (figures[place].attribute == attribute) return figures[place].value;
    return -1;
}

PUBLIC CUresult cuDeviceGetCount(int *count) {
    ENTER();
    if (!count) return leave(CUDA_ERROR_INVALID_VALUE);
    *count = device_count();
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGet(int *handle, int ordinal) {
    ENTER();
    if (!handle || !device_of(ordinal)) return leave(CUDA_ERROR_INVALID_DEVICE);
    *handle = ordinal;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetName(char *name, int length, int handle) {
    ENTER();
    if (!device_of(handle)) return leave(CUDA_ERROR_INVALID_DEVICE);
    snprintf(name, (size_t)length, "%s", device_name);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetUuid_v2(unsigned char *uuid, int handle) {
    ENTER();
    if (!device_of(handle)) return leave(CUDA_ERROR_INVALID_DEVICE);
    memset(uuid, 0xFA, 16);
    uuid[15] = (unsigned char)handle;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceTotalMem_v2(size_t *bytes, int handle) {
    ENTER();
    if (!device_of(handle)) return leave(CUDA_ERROR_INVALID_DEVICE);
    *bytes = device_of(handle)->total;
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetAttribute(int *value, int attribute, int handle) {
    ENTER();
    if (!device_of(handle)) return leave(CUDA_ERROR_INVALID_DEVICE);
    if (attribute == 33) *value = handle + 1;  // PCI bus
    else if (attribute_of(attribute) < 0) return leave(CUDA_ERROR_INVALID_VALUE);
    else *value = attribute_of(attribute);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuDeviceGetPCIBusId(char *text, int length, int handle) {
    ENTER();
    if (!device_of(handle)) return leave(CUDA_ERROR_INVALID_DEVICE);
    snprintf(text, (size_t)length, "0000:%02X:00.0", handle + 1);
    return leave(CUDA_SUCCESS);
}
