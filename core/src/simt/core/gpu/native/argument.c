/* One argument of a launch: checked against what the code was compiled for, and packed into the argument record.

   It accelerates and never judges: what it does not take as it stands, the general path checks and words the error of.
   What it takes, the general path takes with the same bytes. */
#include "extension.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define SMALL (1LL << 30)  /* elements of an array, as in specialize.py; one without elements may have a large extent */

int read_argument(PyObject *description, Argument *argument) {
    int kind;
    memset(argument, 0, sizeof *argument);
    if (!PyArg_ParseTuple(description, "iiiOiiiiLLii", &kind, &argument->bits, &argument->offset, &argument->expected,
                          &argument->ndim, &argument->writes, &argument->strided, &argument->ordinal, &argument->width,
                          &argument->alignment, &argument->dlpack_code, &argument->dlpack_bits)) return -1;
    argument->kind = (enum kind)kind;
    Py_INCREF(argument->expected);
    return 0;
}

void clear_argument(Argument *argument) { Py_CLEAR(argument->expected); }

static int pack_signed(const Argument *argument, PyObject *value, char *record) {
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (overflow) return 0;
    if (argument->bits < 64) {
        long long limit = 1LL << (argument->bits - 1);
        if (number < -limit || number >= limit) return 0;
    }
    memcpy(record + argument->offset, &number, argument->bits / 8);  /* little-endian: the low bytes come first */
    return 1;
}

static int pack_unsigned(const Argument *argument, PyObject *value, char *record) {
    unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (number == (unsigned long long)-1 && PyErr_Occurred()) {
        if (!PyErr_ExceptionMatches(PyExc_OverflowError)) return -1;
        PyErr_Clear();
        return 0;
    }
    if (argument->bits < 64 && number >> argument->bits) return 0;
    memcpy(record + argument->offset, &number, argument->bits / 8);
    return 1;
}

static int pack_integer(const Argument *argument, PyObject *value, char *record) {
    int (*pack)(const Argument *, PyObject *, char *) = argument->kind == KIND_SIGNED ? pack_signed : pack_unsigned;
    if (PyLong_CheckExact(value)) return pack(argument, value, record);
    if ((PyObject *)Py_TYPE(value) != argument->expected) return 0;
    PyObject *number = PyNumber_Index(value);
    if (!number) return -1;
    int packed = pack(argument, number, record);
    Py_DECREF(number);
    return packed;
}

static int pack_float(const Argument *argument, PyObject *value, char *record) {
    if (!PyFloat_CheckExact(value) && (PyObject *)Py_TYPE(value) != argument->expected) return 0;
    double number = PyFloat_AsDouble(value);
    if (number == -1 && PyErr_Occurred()) return -1;
    if (argument->bits == 64) {
        memcpy(record + argument->offset, &number, 8);
        return 1;
    }
    float single = (float)number;
    if (isinf(single) && !isinf(number)) return 0;
    memcpy(record + argument->offset, &single, 4);
    return 1;
}

static int pack_bool(const Argument *argument, PyObject *value, char *record) {
    if (value != Py_True && value != Py_False) return 0;
    record[argument->offset] = value == Py_True;
    return 1;
}

static int same_constant(const Argument *argument, PyObject *value) {
    if (value == argument->expected) return 1;
    int plain = PyLong_CheckExact(value) || PyFloat_CheckExact(value);
    if (!plain || Py_TYPE(value) != Py_TYPE(argument->expected)) return 0;
    return PyObject_RichCompareBool(value, argument->expected, Py_EQ);
}

static int pack_array(const Argument *argument, PyObject *value, char *record, Memory *memory) {
    if (!PyObject_TypeCheck(value, (PyTypeObject *)described_array_type))
        return pack_foreign(argument, value, record, memory);
    DescribedArray *array = (DescribedArray *)value;
    if (array->dtype != argument->expected || array->ndim != argument->ndim || array->ordinal != argument->ordinal ||
        !array->contiguous || !array->life || !array->life->alive || array->size >= SMALL ||
        (array->size == 0 && array->ndim > 1) || array->address % (uint64_t)argument->alignment) return 0;
    memcpy(record + argument->offset, &array->address, 8);
    memcpy(record + argument->offset + 8, array->shape, 8 * array->ndim);
    if (argument->strided) {
        int64_t *strides = (int64_t *)(record + argument->offset + 8 + 8 * array->ndim);
        for (int axis = 0; axis < array->ndim; axis++) strides[axis] = array->strides[axis] / argument->width;
    }
    uint64_t end = array->address + (uint64_t)(array->size * argument->width);
    memory->extents[memory->count++] = (Extent){array->address, end, argument->writes, array->life};
    return 1;
}

int pack_argument(const Argument *argument, PyObject *value, char *record, Memory *memory) {
    switch (argument->kind) {
        case KIND_SIGNED:
        case KIND_UNSIGNED: return pack_integer(argument, value, record);
        case KIND_FLOAT: return pack_float(argument, value, record);
        case KIND_BOOL: return pack_bool(argument, value, record);
        case KIND_ARRAY: return pack_array(argument, value, record, memory);
        case KIND_CONSTANT: return same_constant(argument, value);
    }
    return 0;
}
