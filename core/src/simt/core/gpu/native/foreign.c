/* Arrays of other libraries, read through the exchange table that their class carries.

   Source: dlpack.h, DLPack 1.3, DLPackExchangeAPI and DLTensor. Classes without the table take the general path. */
#include "extension.h"
#include <string.h>

#define SMALL (1LL << 30)
#define DEVICE_CUDA 2
#define CLASSES_KEPT 16

typedef struct {
    void *data;
    int32_t device_type, device_id, ndim;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *shape, *strides;
    uint64_t byte_offset;
} Tensor;

typedef struct {
    uint32_t major, minor;
    void *previous;
    void *allocate, *export_managed, *import_managed;
    int (*view)(void *object, Tensor *out);
    int (*current_stream)(int32_t device_type, int32_t device_id, void **out);
} ExchangeTable;

typedef struct {
    PyObject *type;              /* kept alive, so that its address names it */
    const ExchangeTable *table;  /* NULL: the class has none */
    int records_gradients;       /* whether instances have the attribute requires_grad */
} Class;

static Class classes[CLASSES_KEPT];
static int class_count;

/* What a class offers; NULL where there is no room to remember it, without an exception. */
static const Class *class_of(PyObject *value) {
    PyObject *type = (PyObject *)Py_TYPE(value);
    for (int index = 0; index < class_count; index++)
        if (classes[index].type == type) return &classes[index];
    if (class_count == CLASSES_KEPT) return NULL;
    Class found = {type, NULL, 0};
    PyObject *capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
    if (capsule && PyCapsule_IsValid(capsule, "dlpack_exchange_api")) {
        const ExchangeTable *table = PyCapsule_GetPointer(capsule, "dlpack_exchange_api");
        if (table->major == 1 && table->view && table->current_stream) found.table = table;
    }
    Py_XDECREF(capsule);  /* the table outlives the process's use of the class */
    PyObject *gradients = PyObject_GetAttrString(type, "requires_grad");
    found.records_gradients = gradients != NULL;
    Py_XDECREF(gradients);
    PyErr_Clear();
    Py_INCREF(type);
    classes[class_count] = found;
    return &classes[class_count++];
}

static int records_gradients(const Class *known, PyObject *value) {
    if (!known->records_gradients) return 0;
    PyObject *flag = PyObject_GetAttrString(value, "requires_grad");
    if (!flag) return -1;
    int recorded = flag != Py_False;
    Py_DECREF(flag);
    return recorded;
}

static int is_contiguous(const Tensor *tensor, int64_t *size) {
    int64_t step = 1;
    int contiguous = 1;
    for (int axis = tensor->ndim - 1; axis >= 0; axis--) {
        if (tensor->strides && tensor->shape[axis] != 1 && tensor->strides[axis] != step) contiguous = 0;
        step *= tensor->shape[axis];
    }
    *size = step;
    return contiguous || step == 0;
}

int pack_foreign(const Argument *argument, PyObject *value, char *record, Memory *memory) {
    const Class *known = class_of(value);
    if (!known || !known->table || argument->strided) return 0;
    int recorded = records_gradients(known, value);
    if (recorded) return recorded < 0 ? -1 : 0;
    Tensor tensor;
    if (known->table->view(value, &tensor) != 0) {
        PyErr_Clear();  /* the general path asks again and words the error */
        return 0;
    }
    int64_t size;
    uint64_t address = (uint64_t)tensor.data + tensor.byte_offset;
    if (tensor.device_type != DEVICE_CUDA || tensor.device_id != argument->ordinal || tensor.lanes != 1 ||
        tensor.code != argument->dlpack_code || tensor.bits != argument->dlpack_bits || tensor.ndim != argument->ndim ||
        !is_contiguous(&tensor, &size) || size >= SMALL || (size == 0 && tensor.ndim > 1) || address % (uint64_t)argument->alignment) return 0;
    if (!memory->has_foreign) {
        void *stream = NULL;
        if (known->table->current_stream(tensor.device_type, tensor.device_id, &stream) != 0) {
            PyErr_Clear();
            return 0;
        }
        memory->has_foreign = 1;
        memory->foreign_stream = stream ? (uint64_t)stream : LEGACY_STREAM;
    }
    memcpy(record + argument->offset, &address, 8);
    memcpy(record + argument->offset + 8, tensor.shape, 8 * (size_t)tensor.ndim);
    uint64_t end = address + (uint64_t)(size * argument->width);
    memory->extents[memory->count++] = (Extent){address, end, argument->writes, NULL};
    return 1;
}
