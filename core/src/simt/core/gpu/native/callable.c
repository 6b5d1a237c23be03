/* The base class of Launch: a call goes straight to its launcher, and to Python's ``call_generally`` where it has none, or
   the launcher does not take the arguments, or some thread is capturing a graph. */
#include "extension.h"

typedef struct {
    PyObject_HEAD
    PyObject *launcher;  /* or NULL */
    PyObject *captures;  /* list, empty while nothing is captured; NULL together with launcher */
} CallableLaunch;

static PyObject *name_of_general;

static void callable_dealloc(PyObject *self) {
    CallableLaunch *callable = (CallableLaunch *)self;
    Py_CLEAR(callable->launcher);
    Py_CLEAR(callable->captures);
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyObject *callable_call(PyObject *self, PyObject *arguments, PyObject *keywords) {
    CallableLaunch *callable = (CallableLaunch *)self;
    if (callable->launcher && (!keywords || PyDict_Size(keywords) == 0) && PyList_Size(callable->captures) == 0) {
        PyObject *launcher = callable->launcher;
        Py_INCREF(launcher);  /* another thread may replace it while the lock is free */
        int launched = launch_arguments(launcher, arguments);
        Py_DECREF(launcher);
        if (launched < 0) return NULL;
        if (launched) Py_RETURN_NONE;
    }
    PyObject *general = PyObject_GetAttr(self, name_of_general);
    if (!general) return NULL;
    PyObject *result = PyObject_Call(general, arguments, keywords);
    Py_DECREF(general);
    return result;
}

static PyObject *callable_use(PyObject *self, PyObject *args) {
    CallableLaunch *callable = (CallableLaunch *)self;
    PyObject *launcher, *captures, *old_launcher = callable->launcher, *old_captures = callable->captures;
    if (!PyArg_ParseTuple(args, "O!O!", launcher_type, &launcher, &PyList_Type, &captures)) return NULL;
    Py_INCREF(launcher);
    Py_INCREF(captures);
    callable->launcher = launcher;
    callable->captures = captures;
    Py_XDECREF(old_launcher);
    Py_XDECREF(old_captures);
    Py_RETURN_NONE;
}

static PyMethodDef callable_methods[] = {
    {"use_launcher", callable_use, METH_VARARGS, "use_launcher(launcher, captures): let calls go to a described launcher."},
    {0}
};
static PyType_Slot callable_slots[] = {
    {Py_tp_dealloc, (void *)callable_dealloc}, {Py_tp_call, (void *)callable_call}, {Py_tp_methods, callable_methods},
    {Py_tp_new, (void *)PyType_GenericNew}, {Py_tp_doc, "Base of Launch."}, {0, 0}
};
static PyType_Spec callable_spec = {
    "simt.core.gpu._launch.CallableLaunch", sizeof(CallableLaunch), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
    callable_slots
};

int add_callable_type(PyObject *module) {
    name_of_general = PyUnicode_InternFromString("call_generally");
    PyObject *type = name_of_general ? PyType_FromSpec(&callable_spec) : NULL;
    if (!type) return -1;
    int added = PyModule_AddObjectRef(module, "CallableLaunch", type);
    Py_DECREF(type);
    return added;
}
