/* The module simt.core.gpu._launch. */
#include "extension.h"

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "simt.core.gpu._launch", "Checked launches in one pass; see native/.", -1, module_functions, 0, 0,
    0, 0
};

PyMODINIT_FUNC PyInit__launch(void) {
    PyObject *module = PyModule_Create(&definition);
    if (module && (add_array_types(module) < 0 || add_launcher_type(module) < 0 || add_callable_type(module) < 0 ||
                   PyModule_AddStringConstant(module, "SOURCES", SIMT_SOURCES) < 0)) Py_CLEAR(module);
    return module;
}
