/* What the files of the launch extension share: the stable ABI of Python 3.11, and the objects of each file. */
#ifndef SIMT_LAUNCH_EXTENSION_H
#define SIMT_LAUNCH_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <stdint.h>

#define MAXIMUM_AXES 3
#define MAXIMUM_ARGUMENTS 96
#define MAXIMUM_RECORD 4096  /* bytes of kernel parameters on every architecture */
#define LEGACY_STREAM 1      /* CU_STREAM_LEGACY */

/* array.c: the base classes of Allocation and GpuArray. */
typedef struct {
    PyObject_HEAD
    int alive;
    uint64_t home;  /* handle of the stream in whose order the memory is freed */
} Life;

typedef struct {
    PyObject_HEAD
    uint64_t address;
    int64_t size;  /* elements */
    PyObject *dtype;
    Life *life;
    int32_t ndim, contiguous, ordinal;
    int64_t shape[MAXIMUM_AXES], strides[MAXIMUM_AXES];  /* strides in bytes */
} DescribedArray;

extern PyObject *life_type, *described_array_type;
int add_array_types(PyObject *module);

/* argument.c: one parameter of a kernel, and how its argument is checked and packed. */
enum kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT, KIND_BOOL, KIND_ARRAY, KIND_CONSTANT };

typedef struct {
    enum kind kind;
    int bits, offset;          /* of a scalar; where it or the array's address lies in the record */
    PyObject *expected;        /* dtype of an array, value of a constant, NumPy's class of a scalar */
    int ndim, writes, strided, ordinal;
    int64_t width, alignment;  /* bytes of an element, and what its address is a multiple of */
    int dlpack_code, dlpack_bits;
} Argument;

typedef struct {
    uint64_t start, end;
    int writes;
    Life *life;                /* of our own arrays */
} Extent;

typedef struct {
    Extent extents[MAXIMUM_ARGUMENTS];
    int count;
    int has_foreign;
    uint64_t foreign_stream;   /* where the arrays' library works */
} Memory;

int read_argument(PyObject *description, Argument *argument);
void clear_argument(Argument *argument);
/* 1: packed; 0: the general path must judge; -1: an exception is set. */
int pack_argument(const Argument *argument, PyObject *value, char *record, Memory *memory);

/* foreign.c: arrays of other libraries, by DLPack's exchange table. */
int pack_foreign(const Argument *argument, PyObject *value, char *record, Memory *memory);

/* launcher.c */
extern PyMethodDef module_functions[];
extern PyObject *launcher_type;
int launch_arguments(PyObject *launcher, PyObject *arguments);
int add_launcher_type(PyObject *module);

/* callable.c: the base class of Launch. */
int add_callable_type(PyObject *module);

#endif
