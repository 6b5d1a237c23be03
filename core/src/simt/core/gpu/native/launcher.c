/* Launches: a packed record as it is, or arguments checked and packed in one pass.

   ``Launcher(driver, geometry, offsets)`` launches records; ``launcher.describe(...)`` adds what calls check. */
#include "extension.h"
#include <string.h>

typedef int (*LaunchKernel)(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                            unsigned shared_bytes, void *stream, void **parameters, void **extra);
typedef int (*GetContext)(void **context);
typedef int (*SetContext)(void *context);

typedef struct {
    PyObject_HEAD
    LaunchKernel launch;
    GetContext get_context;
    SetContext set_context;
    void *function, *context;
    unsigned grid[3], block[3], shared_bytes;
    int piece_count, argument_count;
    int pieces[2 * MAXIMUM_ARGUMENTS];  /* where the entry's parameters lie in the record */
    Argument arguments[MAXIMUM_ARGUMENTS];
    PyObject *lookups;    /* tuple of (dict, name, value) */
    PyObject *functions;  /* tuple of (function, name of an attribute, value) */
    PyObject *changed;    /* callable for what the two do not say, or None */
    PyObject *entered;    /* list, empty while no thread is inside a ``with stream:`` */
    PyObject *name;       /* of the kernel, for the list of recent launches */
    PyObject *refuse;     /* callable(status): raises */
    PyObject *finish;     /* callable() after each launch, or None */
    uint64_t fixed;       /* handle of the configuration's stream, or 0 */
} Launcher;

static void launcher_dealloc(PyObject *self) {
    Launcher *launcher = (Launcher *)self;
    for (int index = 0; index < launcher->argument_count; index++) clear_argument(&launcher->arguments[index]);
    Py_CLEAR(launcher->lookups);
    Py_CLEAR(launcher->functions);
    Py_CLEAR(launcher->changed);
    Py_CLEAR(launcher->entered);
    Py_CLEAR(launcher->name);
    Py_CLEAR(launcher->refuse);
    Py_CLEAR(launcher->finish);
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int launcher_init(PyObject *self, PyObject *args, PyObject *keywords) {
    Launcher *launcher = (Launcher *)self;
    unsigned long long launch, get, set, function, context;
    PyObject *offsets, *name, *refuse;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "(KKK)(KK)(III)(III)IO!UO", &launch, &get, &set, &function, &context, &launcher->grid[0],
                          &launcher->grid[1], &launcher->grid[2], &launcher->block[0], &launcher->block[1],
                          &launcher->block[2], &launcher->shared_bytes, &PyTuple_Type, &offsets, &name, &refuse)) return -1;
    launcher->launch = (LaunchKernel)(uintptr_t)launch;
    launcher->get_context = (GetContext)(uintptr_t)get;
    launcher->set_context = (SetContext)(uintptr_t)set;
    launcher->function = (void *)(uintptr_t)function;
    launcher->context = (void *)(uintptr_t)context;
    Py_ssize_t count = PyTuple_Size(offsets);
    if (count > 2 * MAXIMUM_ARGUMENTS) {
        PyErr_Format(PyExc_ValueError, "%zd parameters; at most %d", count, 2 * MAXIMUM_ARGUMENTS);
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        launcher->pieces[index] = (int)PyLong_AsLong(PyTuple_GetItem(offsets, index));
        if (launcher->pieces[index] == -1 && PyErr_Occurred()) return -1;
    }
    launcher->piece_count = (int)count;
    Py_INCREF(name);
    launcher->name = name;
    Py_INCREF(refuse);
    launcher->refuse = refuse;
    return 0;
}

/* The last launches of the process, for the report of a hardware fault. */
#define REMEMBERED 8
static PyObject *recent[REMEMBERED];
static unsigned recent_count;

static void remember(PyObject *name) {
    PyObject **slot = &recent[recent_count++ % REMEMBERED];
    Py_INCREF(name);
    Py_XDECREF(*slot);
    *slot = name;
}

static PyObject *module_remember(PyObject *self, PyObject *name) {
    (void)self;
    remember(name);
    Py_RETURN_NONE;
}

static PyObject *module_recent(PyObject *self, PyObject *nothing) {
    (void)self;
    (void)nothing;
    unsigned count = recent_count < REMEMBERED ? recent_count : REMEMBERED;
    PyObject *list = PyList_New(0);
    for (unsigned index = recent_count - count; list && index != recent_count; index++)
        if (PyList_Append(list, recent[index % REMEMBERED]) < 0) Py_CLEAR(list);
    return list;
}

PyMethodDef module_functions[] = {
    {"remember", module_remember, METH_O, "remember(name): add to the recent launches."},
    {"recent", module_recent, METH_NOARGS, "recent(): names of the last launches, latest last."},
    {0}
};

/* Start the grid. 0, or -1 with the exception that ``refuse`` raised. */
static int start_grid(Launcher *launcher, const char *record, uint64_t stream) {
    void *parameters[2 * MAXIMUM_ARGUMENTS], *current = NULL;
    for (int index = 0; index < launcher->piece_count; index++)
        parameters[index] = (void *)(record + launcher->pieces[index]);
    int status = launcher->get_context(&current);
    if (status == 0 && current != launcher->context) status = launcher->set_context(launcher->context);
    if (status == 0) {
        /* The driver may wait for room in its queue, and a callback there may want the lock. */
        PyThreadState *state = PyEval_SaveThread();
        status = launcher->launch(launcher->function, launcher->grid[0], launcher->grid[1], launcher->grid[2],
                                  launcher->block[0], launcher->block[1], launcher->block[2], launcher->shared_bytes,
                                  (void *)(uintptr_t)stream, parameters, NULL);
        PyEval_RestoreThread(state);
    }
    if (status == 0) {
        remember(launcher->name);
        return 0;
    }
    PyObject *nothing = PyObject_CallFunction(launcher->refuse, "i", status);
    Py_XDECREF(nothing);
    if (!PyErr_Occurred()) PyErr_Format(PyExc_RuntimeError, "status %d was not refused", status);
    return -1;
}

static PyObject *launcher_run(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    char *record;
    Py_ssize_t length;
    if (count != 2 || PyBytes_AsStringAndSize(args[0], &record, &length) < 0) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "run takes a record and a stream's handle");
        return NULL;
    }
    uint64_t stream = PyLong_AsUnsignedLongLong(args[1]);
    if (PyErr_Occurred() || start_grid((Launcher *)self, record, stream) < 0) return NULL;
    Py_RETURN_NONE;
}

static void replace(PyObject **slot, PyObject *value) {
    Py_INCREF(value);
    Py_XDECREF(*slot);
    *slot = value;
}

static PyObject *launcher_describe(PyObject *self, PyObject *args) {
    Launcher *launcher = (Launcher *)self;
    PyObject *arguments, *lookups, *functions, *changed, *entered, *finish;
    unsigned long long fixed;
    if (!PyArg_ParseTuple(args, "O!O!O!OO!OK", &PyTuple_Type, &arguments, &PyTuple_Type, &lookups, &PyTuple_Type,
                          &functions, &changed, &PyList_Type, &entered, &finish, &fixed)) return NULL;
    Py_ssize_t count = PyTuple_Size(arguments);
    if (count > MAXIMUM_ARGUMENTS || launcher->argument_count) {
        PyErr_SetString(PyExc_ValueError, "too many arguments, or described before");
        return NULL;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        if (read_argument(PyTuple_GetItem(arguments, index), &launcher->arguments[index]) < 0) return NULL;
        launcher->argument_count++;
    }
    replace(&launcher->lookups, lookups);
    replace(&launcher->functions, functions);
    replace(&launcher->changed, changed);
    replace(&launcher->entered, entered);
    replace(&launcher->finish, finish);
    launcher->fixed = fixed;
    Py_RETURN_NONE;
}

/* Whether the code still is that of what it was compiled from: 1, 0 if not, -1 with an exception. */
static int is_fresh(Launcher *launcher) {
    Py_ssize_t count = PyTuple_Size(launcher->lookups);
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *lookup = PyTuple_GetItem(launcher->lookups, index);
        PyObject *value = PyDict_GetItemWithError(PyTuple_GetItem(lookup, 0), PyTuple_GetItem(lookup, 1));
        if (!value && PyErr_Occurred()) return -1;
        if (value != PyTuple_GetItem(lookup, 2)) return 0;
    }
    count = PyTuple_Size(launcher->functions);
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *entry = PyTuple_GetItem(launcher->functions, index);
        PyObject *attribute = PyObject_GetAttr(PyTuple_GetItem(entry, 0), PyTuple_GetItem(entry, 1));
        if (!attribute) return -1;
        int same = attribute == PyTuple_GetItem(entry, 2);
        Py_DECREF(attribute);
        if (!same) return 0;
    }
    if (launcher->changed == Py_None) return 1;
    PyObject *answer = PyObject_CallNoArgs(launcher->changed);
    if (!answer) return -1;
    int changed = PyObject_IsTrue(answer);
    Py_DECREF(answer);
    return changed < 0 ? -1 : !changed;
}

/* Whether a written array shares memory with another one. */
static int overlaps(const Memory *memory) {
    for (int first = 1; first < memory->count; first++)
        for (int second = 0; second < first; second++) {
            const Extent *a = &memory->extents[first], *b = &memory->extents[second];
            if ((a->writes || b->writes) && a->start < b->end && b->start < a->end) return 1;
        }
    return 0;
}

static int homes_differ(const Memory *memory, uint64_t stream) {
    for (int index = 0; index < memory->count; index++)
        if (memory->extents[index].life && memory->extents[index].life->home != stream) return 1;
    return 0;
}

/* Check, pack and launch. 1; 0 where the general path must judge; -1 with an exception. */
int launch_arguments(PyObject *self, PyObject *arguments) {
    Launcher *launcher = (Launcher *)self;
    _Alignas(16) char record[MAXIMUM_RECORD];
    Memory memory;
    memory.count = memory.has_foreign = 0;
    if (PyTuple_Size(arguments) != launcher->argument_count || PyList_Size(launcher->entered) != 0) return 0;
    for (int index = 0; index < launcher->argument_count; index++) {
        int packed = pack_argument(&launcher->arguments[index], PyTuple_GetItem(arguments, index), record, &memory);
        if (packed <= 0) return packed;
    }
    if (overlaps(&memory)) return 0;
    uint64_t stream = launcher->fixed ? launcher->fixed : memory.has_foreign ? memory.foreign_stream : LEGACY_STREAM;
    if (memory.has_foreign && memory.foreign_stream != stream) return 0;
    if (homes_differ(&memory, stream)) return 0;
    int fresh = is_fresh(launcher);
    if (fresh <= 0) return fresh;
    if (start_grid(launcher, record, stream) < 0) return -1;
    if (launcher->finish != Py_None) {
        PyObject *nothing = PyObject_CallNoArgs(launcher->finish);
        if (!nothing) return -1;
        Py_DECREF(nothing);
    }
    return 1;
}

static PyObject *launcher_launch(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    PyObject *arguments = PyTuple_New(count - 1);
    if (!arguments) return NULL;
    for (Py_ssize_t index = 1; index < count; index++) {
        Py_INCREF(args[index]);
        PyTuple_SetItem(arguments, index - 1, args[index]);
    }
    int launched = launch_arguments(self, arguments);
    Py_DECREF(arguments);
    return launched < 0 ? NULL : PyBool_FromLong(launched);
}

static PyMethodDef launcher_methods[] = {
    {"run", (PyCFunction)(void (*)(void))launcher_run, METH_FASTCALL, "run(record, handle): launch a packed record."},
    {"launch", (PyCFunction)(void (*)(void))launcher_launch, METH_FASTCALL,
     "launch(ignored, *arguments): True, or False where the general path must judge."},
    {"describe", launcher_describe, METH_VARARGS, "Add the arguments that calls check and pack."},
    {0}
};
static PyType_Slot launcher_slots[] = {
    {Py_tp_dealloc, (void *)launcher_dealloc}, {Py_tp_init, (void *)launcher_init},
    {Py_tp_new, (void *)PyType_GenericNew}, {Py_tp_methods, launcher_methods}, {0, 0}
};
static PyType_Spec launcher_spec = {
    "simt.core.gpu._launch.Launcher", sizeof(Launcher), 0, Py_TPFLAGS_DEFAULT, launcher_slots
};

PyObject *launcher_type;

int add_launcher_type(PyObject *module) {
    launcher_type = PyType_FromSpec(&launcher_spec);
    return launcher_type ? PyModule_AddObjectRef(module, "Launcher", launcher_type) : -1;
}
