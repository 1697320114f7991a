#include "output.h"

#include <new>

namespace foliation::bindings {

namespace {

struct Object {
    PyObject_HEAD;
    Exported memory;
    std::array<char, 2> format;
    std::array<Py_ssize_t, 2> strides;
};

Object* object_of(PyObject* self) { return reinterpret_cast<Object*>(self); }

int get_buffer(PyObject* self, Py_buffer* view, int) {
    static char nothing = 0;  // a null pointer would stand for no buffer at all
    Object* object = object_of(self);
    const Exported& memory = object->memory;
    *view = {};
    view->buf = memory.data != nullptr ? memory.data : &nothing;
    view->obj = Py_NewRef(self);
    view->itemsize = memory.itemsize;
    view->len = memory.itemsize * memory.shape[0] * memory.shape[1];
    view->ndim = memory.n_dimensions;
    view->format = object->format.data();
    view->shape = object->memory.shape.data();
    view->strides = object->strides.data();
    return 0;
}

void deallocate(PyObject* self) {
    PyTypeObject* type = Py_TYPE(self);
    object_of(self)->~Object();
    PyObject_Free(self);
    Py_DECREF(type);
}

// Made once, when the first vector is exported.
PyTypeObject* object_type() {
    static PyObject* type = nullptr;
    if (type == nullptr) {
        std::array slots{PyType_Slot{Py_bf_getbuffer, reinterpret_cast<void*>(&get_buffer)},
                         PyType_Slot{Py_tp_dealloc, reinterpret_cast<void*>(&deallocate)},
                         PyType_Slot{0, nullptr}};
        PyType_Spec spec{"foliation._core.Exported", sizeof(Object), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots.data()};
        type = PyType_FromSpec(&spec);
        if (type == nullptr) throw nb::python_error();
    }
    return reinterpret_cast<PyTypeObject*>(type);
}

nb::tuple shape_of(const Exported& memory) {
    const char* format = memory.n_dimensions == 1 ? "(n)" : "(nn)";
    auto shape = nb::steal<nb::tuple>(Py_BuildValue(format, memory.shape[0], memory.shape[1]));
    if (!shape.is_valid()) throw nb::python_error();
    return shape;
}

}  // namespace

nb::object export_to_numpy(Exported memory) {
    auto* object = PyObject_New(Object, object_type());
    if (object == nullptr) throw nb::python_error();
    const Py_ssize_t row = memory.itemsize * memory.shape[1];
    const char kind = memory.kind;
    new (&object->memory) Exported(std::move(memory));
    object->format = {kind, '\0'};
    object->strides = {row, object->memory.itemsize};
    const auto owner = nb::steal<nb::object>(reinterpret_cast<PyObject*>(object));
    const nb::tuple shape = shape_of(object->memory);
    return nb::module_::import_("numpy").attr("ndarray")(shape, nb::str(&kind, 1), owner);
}

}  // namespace foliation::bindings
