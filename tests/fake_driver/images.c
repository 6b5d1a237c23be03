// Images: text that names what the real ones hold as code. One entry an image:
//
//     SIMT-FAKE <number> <entry> <registers> <parameters> <offset>:<bytes> ...
//     shared <bytes>            static shared memory of a block, by choice
//     max_threads <threads>     of a block, by choice
//     global <name> <bytes>     a variable, zero at the start; any number of lines
//
// or that text after PTX, whose .version must be the driver's at most, and from "NEEDS <major>.<minor>" on, if it says so.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "modules.h"

enum { MAXIMUM_THREADS = 1024, DEFAULT_DYNAMIC_BYTES = 49152 };

// The PTX ISA of a driver: 13.0 brought 9.0, 12.0 brought 8.0; each minor version brought one more.
static int ptx_version_of_driver(void) {
    int version = driver_version();
    return (version / 1000 - 4) * 10 + version % 1000 / 10;
}

// The version that `word` names in an image, times 10; 0 where it is not there.
static int version_after(const char *image, const char *word) {
    int major = 0, minor = 0;
    const char *line = strstr(image, word);
    return line && sscanf(line + strlen(word), " %d.%d", &major, &minor) == 2 ? 10 * major + minor : 0;
}

static CUresult check_ptx(const char *image, char *log, size_t log_bytes) {
    int version = version_after(image, ".version"), needed = version_after(image, "NEEDS");
    if (version > ptx_version_of_driver()) return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    if (version >= needed) return CUDA_SUCCESS;
    snprintf(log, log_bytes, "ptxas: feature requires PTX ISA .version %d.%d or later", needed / 10, needed % 10);
    return CUDA_ERROR_INVALID_PTX;
}

static CUresult add_global(struct module *module, const char *name, size_t bytes) {
    struct allocation *memory = NULL;
    CUresult result = allocate(module->device, DEVICE_MEMORY, bytes, &memory);
    if (result != CUDA_SUCCESS) return result;
    struct global *made = allocate_zeroed(sizeof *made);
    snprintf(made->name, sizeof made->name, "%s", name);
    made->bytes = bytes;
    made->address = memory->address;
    memset(made->address, 0, bytes);
    made->next = module->globals;
    module->globals = made;
    return CUDA_SUCCESS;
}

static CUresult read_line(struct module *module, const char *line) {
    char name[NAME_BYTES];
    size_t bytes;
    int number;
    if (sscanf(line, "global %255s %zu", name, &bytes) == 2) return add_global(module, name, bytes);
    if (sscanf(line, "shared %d", &number) == 1) module->function->static_shared_bytes = number;
    else if (sscanf(line, "max_threads %d", &number) == 1) module->function->max_threads = number;
    else if (*line != '\n' && *line != '\0') return CUDA_ERROR_INVALID_IMAGE;
    return CUDA_SUCCESS;
}

// Reads the parameters of the first line. Gives the line's end, or NULL.
static const char *read_parameters(struct function *function, const char *text) {
    int length;
    for (size_t place = 0; place < function->parameter_count; place++, text += length) {
        struct parameter *parameter = &function->parameters[place];
        if (sscanf(text, " %zu:%zu%n", &parameter->offset, &parameter->bytes, &length) != 2) return NULL;
        size_t end = parameter->offset + parameter->bytes;
        if (end > function->record_bytes) function->record_bytes = end;
    }
    return *text == '\n' ? text + 1 : *text == '\0' ? text : NULL;
}

CUresult load_image(struct device *device, const char *image, struct module **made, char *log, size_t log_bytes) {
    char entry[NAME_BYTES];
    long number;
    int registers, length;
    size_t count;
    if (!image) return CUDA_ERROR_INVALID_VALUE;
    CUresult readable = check_ptx(image, log, log_bytes);
    if (readable != CUDA_SUCCESS) return readable;
    image = strstr(image, "SIMT-FAKE");
    if (!image) return CUDA_ERROR_INVALID_IMAGE;
    if (sscanf(image, "SIMT-FAKE %ld %255s %d %zu%n", &number, entry, &registers, &count, &length) != 4)
        return CUDA_ERROR_INVALID_IMAGE;
    if (count > MAXIMUM_PARAMETERS) return CUDA_ERROR_INVALID_IMAGE;
    struct module *module = *made = make(MODULE, sizeof *module);
    struct function *function = module->function = make(FUNCTION, sizeof *function);
    module->device = device;
    module->image = number;
    function->module = module;
    function->registers = registers;
    function->max_threads = MAXIMUM_THREADS;
    function->max_dynamic_bytes = DEFAULT_DYNAMIC_BYTES;
    function->preferred_carveout = -1;
    function->parameter_count = count;
    function->parameters = allocate_zeroed(count * sizeof *function->parameters);
    memcpy(function->name, entry, sizeof entry);
    const char *line = read_parameters(function, image + length);
    CUresult result = line ? CUDA_SUCCESS : CUDA_ERROR_INVALID_IMAGE;
    for (; result == CUDA_SUCCESS && *line; line += strcspn(line, "\n"), line += *line == '\n')
        result = read_line(module, line);
    if (result == CUDA_SUCCESS) {
        function->max_dynamic_bytes -= function->static_shared_bytes;
        return CUDA_SUCCESS;
    }
    unload(module);
    return result;
}

void unload(struct module *module) {
    while (module->globals) {
        struct global *global = module->globals;
        module->globals = global->next;
        release(allocation_at(global->address));
        free(global);
    }
    free(module->function->parameters);
    discard(module->function);
    discard(module);
}
