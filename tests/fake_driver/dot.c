// Graphs as text for Graphviz.
#include <stdio.h>

#include "graphs.h"
#include "modules.h"

static void write_node(FILE *file, const struct node *node, size_t number) {
    static const char *const names[] = {"KERNEL", "MEMCPY", "MEMSET", "HOST", "GRAPH", "EMPTY", "EVENT_WAIT",
                                        "EVENT_RECORD"};
    const char *name = names[node_type(node)];
    if (node->operation.work == LAUNCH) {
        const struct launch *launch = &node->operation.launch;
        const unsigned *grid = launch->grid, *block = launch->block;
        fprintf(file, "  node_%zu [shape=\"octagon\" label=\"%zu\\n%s\\n", number, number, launch->function->name);
        fprintf(file, "(%u,%u,%u),(%u,%u,%u),%u\"];\n", grid[0], grid[1], grid[2], block[0], block[1], block[2],
                launch->shared_bytes);
    } else {
        fprintf(file, "  node_%zu [shape=\"rectangle\" label=\"%zu\\n%s\"];\n", number, number, name);
    }
}

static size_t number_of(const struct graph *graph, const struct node *node) {
    size_t number = 0;
    while (graph->nodes.items[number] != node) number++;
    return number;
}

PUBLIC CUresult cuGraphDebugDotPrint(void *handle, const char *path, unsigned flags) {
    ENTER();
    (void)flags;
    struct graph *graph = find(GRAPH, handle);
    FILE *file = graph && path ? fopen(path, "w") : NULL;
    if (!file) return leave(graph ? CUDA_ERROR_OPERATING_SYSTEM : CUDA_ERROR_INVALID_VALUE);
    fprintf(file, "digraph dot {\n");
    for (size_t place = 0; place < graph->nodes.count; place++) write_node(file, graph->nodes.items[place], place);
    for (size_t place = 0; place < graph->nodes.count; place++) {
        const struct node *node = graph->nodes.items[place];
        for (size_t edge = 0; edge < node->before.count; edge++)
            fprintf(file, "  node_%zu -> node_%zu;\n", number_of(graph, node->before.items[edge]), place);
    }
    fprintf(file, "}\n");
    fclose(file);
    return leave(CUDA_SUCCESS);
}
