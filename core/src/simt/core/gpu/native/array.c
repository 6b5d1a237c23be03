/* The base classes of Allocation and GpuArray: what a launch reads of them without calling Python. */
#include "extension.h"

PyObject *life_type, *described_array_type;

static void release(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    freefunc release_memory = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release_memory(self);
    Py_DECREF(type);
}

static PyObject *life_set(PyObject *self, PyObject *args) {
    Life *life = (Life *)self;
    unsigned long long home;
    if (!PyArg_ParseTuple(args, "pK", &life->alive, &home)) return NULL;
    life->home = home;
    Py_RETURN_NONE;
}

static PyMethodDef life_methods[] = {
    {"set_life", life_set, METH_VARARGS, "set_life(alive, home): whether the memory may be used, and its home stream's handle."},
    {0}
};
static PyType_Slot life_slots[] = {
    {Py_tp_dealloc, (void *)release}, {Py_tp_methods, life_methods}, {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_doc, "Base of Allocation: whether its memory may be used."}, {0, 0}
};
static PyType_Spec life_spec = {
    "simt.core.gpu._launch.Life", sizeof(Life), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, life_slots
};

static void array_dealloc(PyObject *self) {
    DescribedArray *array = (DescribedArray *)self;
    Py_CLEAR(array->dtype);
    Py_CLEAR(array->life);
    release(self);
}

/* Numbers of a tuple of at most MAXIMUM_AXES; -1 where there are more, -2 with an exception. */
static int read_axes(PyObject *tuple, int64_t *into) {
    Py_ssize_t count = PyTuple_Size(tuple);
    if (count < 0) return -2;
    if (count > MAXIMUM_AXES) return -1;
    for (Py_ssize_t axis = 0; axis < count; axis++) {
        into[axis] = PyLong_AsLongLong(PyTuple_GetItem(tuple, axis));
        if (into[axis] == -1 && PyErr_Occurred()) return -2;
    }
    return (int)count;
}

static PyObject *array_describe(PyObject *self, PyObject *args) {
    DescribedArray *array = (DescribedArray *)self;
    unsigned long long address;
    long long size;
    PyObject *dtype, *shape, *strides, *life;
    int contiguous, ordinal;
    if (!PyArg_ParseTuple(args, "KLOO!O!piO!", &address, &size, &dtype, &PyTuple_Type, &shape, &PyTuple_Type, &strides,
                          &contiguous, &ordinal, life_type, &life)) return NULL;
    array->ndim = read_axes(shape, array->shape);
    if (array->ndim == -2 || read_axes(strides, array->strides) == -2) return NULL;
    array->address = address;
    array->size = size;
    array->contiguous = contiguous;
    array->ordinal = ordinal;
    Py_INCREF(dtype);
    Py_XDECREF(array->dtype);
    array->dtype = dtype;
    Py_INCREF(life);
    Py_XDECREF((PyObject *)array->life);
    array->life = (Life *)life;
    Py_RETURN_NONE;
}

static PyMethodDef array_methods[] = {
    {"describe", array_describe, METH_VARARGS,
     "describe(address, size, dtype, shape, strides, contiguous, ordinal, life): what a launch reads."},
    {0}
};
static PyType_Slot array_slots[] = {
    {Py_tp_dealloc, (void *)array_dealloc}, {Py_tp_methods, array_methods}, {Py_tp_new, (void *)PyType_GenericNew},
    {Py_tp_doc, "Base of GpuArray: what a launch reads of it."}, {0, 0}
};
static PyType_Spec array_spec = {
    "simt.core.gpu._launch.DescribedArray", sizeof(DescribedArray), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, array_slots
};

int add_array_types(PyObject *module) {
    life_type = PyType_FromSpec(&life_spec);
    if (!life_type || PyModule_AddObjectRef(module, "Life", life_type) < 0) return -1;
    described_array_type = PyType_FromSpec(&array_spec);
    return described_array_type ? PyModule_AddObjectRef(module, "DescribedArray", described_array_type) : -1;
}
