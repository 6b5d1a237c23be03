// The structure of graphs: nodes and what they wait for.
#include "graphs.h"

#include <stdlib.h>
#include <string.h>

void append(struct nodes *nodes, struct node *node) {
    struct node **items = realloc(nodes->items, (nodes->count + 1) * sizeof *items);
    if (!items) abort();
    items[nodes->count++] = node;
    nodes->items = items;
}

struct nodes copy_of_nodes(const struct nodes *nodes) {
    struct nodes copied = {NULL, 0};
    for (size_t place = 0; place < nodes->count; place++) append(&copied, nodes->items[place]);
    return copied;
}

int holds(const struct nodes *nodes, const struct node *node) {
    for (size_t place = 0; place < nodes->count; place++)
        if (nodes->items[place] == node) return 1;
    return 0;
}

void take_out(struct nodes *nodes, const struct node *node) {
    size_t kept = 0;
    for (size_t place = 0; place < nodes->count; place++)
        if (nodes->items[place] != node) nodes->items[kept++] = nodes->items[place];
    nodes->count = kept;
}

struct graph *new_graph(void) { return make(GRAPH, sizeof(struct graph)); }

struct node *add_node(struct graph *graph, const struct nodes *before, const struct operation *operation) {
    struct node *node = make(NODE, sizeof *node);
    node->graph = graph;
    node->operation = copy_of(operation);
    node->before = copy_of_nodes(before);
    append(&graph->nodes, node);
    return node;
}

static void destroy_node(struct node *node) {
    drop(&node->operation);
    free(node->before.items);
    discard(node);
}

void destroy_graph(struct graph *graph) {
    for (size_t place = 0; place < graph->nodes.count; place++) destroy_node(graph->nodes.items[place]);
    free(graph->nodes.items);
    discard(graph);
}

static int is_ready(const struct node *node, const struct nodes *done) {
    for (size_t place = 0; place < node->before.count; place++)
        if (!holds(done, node->before.items[place])) return 0;
    return 1;
}

struct nodes in_order(const struct graph *graph) {
    struct nodes order = {NULL, 0}, waiting = copy_of_nodes(&graph->nodes);
    while (waiting.count) {
        size_t place = 0;
        while (place < waiting.count && !is_ready(waiting.items[place], &order)) place++;
        if (place == waiting.count) {
            order.count = 0;
            break;
        }
        append(&order, waiting.items[place]);
        take_out(&waiting, order.items[order.count - 1]);
    }
    free(waiting.items);
    return order;
}

int node_type(const struct node *node) {
    switch (node->operation.work) {
    case LAUNCH: return 0;
    case COPY: return 1;
    case FILL: return 2;
    case HOST_CALL: return 3;
    case WAIT: return 6;
    case RECORD: return 7;
    default: return 5;  // empty
    }
}

PUBLIC CUresult cuGraphCreate(void **handle, unsigned flags) {
    ENTER();
    if (!handle || flags) return leave(CUDA_ERROR_INVALID_VALUE);
    *handle = new_graph();
    return leave(CUDA_SUCCESS);
}

#define ENTER_GRAPH(graph, handle) \
    ENTER(); \
    struct graph *graph = find(GRAPH, handle); \
    if (!graph) return leave(CUDA_ERROR_INVALID_VALUE)
#define ENTER_NODE(node, handle) \
    ENTER(); \
    struct node *node = find(NODE, handle); \
    if (!node) return leave(CUDA_ERROR_INVALID_VALUE)

PUBLIC CUresult cuGraphDestroy(void *handle) {
    ENTER_GRAPH(graph, handle);
    destroy_graph(graph);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuGraphDestroyNode(void *handle) {
    ENTER_NODE(node, handle);
    struct graph *graph = node->graph;
    take_out(&graph->nodes, node);
    for (size_t place = 0; place < graph->nodes.count; place++) take_out(&graph->nodes.items[place]->before, node);
    destroy_node(node);
    return leave(CUDA_SUCCESS);
}

PUBLIC CUresult cuGraphNodeGetType(void *handle, int *type) {
    ENTER_NODE(node, handle);
    *type = node_type(node);
    return leave(CUDA_SUCCESS);
}

// Gives up to *count nodes and their number; without a place for them, only the number.
static CUresult give(const struct nodes *nodes, void **items, size_t *count) {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    for (size_t place = 0; items && place < *count; place++)
        items[place] = place < nodes->count ? nodes->items[place] : NULL;
    if (!items || *count > nodes->count) *count = nodes->count;
    return CUDA_SUCCESS;
}

static CUresult give_and_free(struct nodes nodes, void **items, size_t *count) {
    CUresult result = give(&nodes, items, count);
    free(nodes.items);
    return result;
}

PUBLIC CUresult cuGraphGetNodes(void *handle, void **items, size_t *count) {
    ENTER_GRAPH(graph, handle);
    return leave(give(&graph->nodes, items, count));
}

PUBLIC CUresult cuGraphGetRootNodes(void *handle, void **items, size_t *count) {
    ENTER_GRAPH(graph, handle);
    struct nodes roots = {NULL, 0};
    for (size_t place = 0; place < graph->nodes.count; place++)
        if (!graph->nodes.items[place]->before.count) append(&roots, graph->nodes.items[place]);
    return leave(give_and_free(roots, items, count));
}

PUBLIC CUresult cuGraphNodeGetDependencies_v2(void *handle, void **items, void *edges, size_t *count) {
    ENTER_NODE(node, handle);
    if (edges && count) memset(edges, 0, 8 * *count);
    return leave(give(&node->before, items, count));
}

PUBLIC CUresult cuGraphNodeGetDependentNodes_v2(void *handle, void **items, void *edges, size_t *count) {
    ENTER_NODE(node, handle);
    struct nodes after = {NULL, 0};
    const struct nodes *all = &node->graph->nodes;
    for (size_t place = 0; place < all->count; place++)
        if (holds(&all->items[place]->before, node)) append(&after, all->items[place]);
    if (edges && count) memset(edges, 0, 8 * *count);
    return leave(give_and_free(after, items, count));
}

PUBLIC CUresult cuGraphGetEdges_v2(void *handle, void **from, void **to, void *edges, size_t *count) {
    ENTER_GRAPH(graph, handle);
    struct nodes starts = {NULL, 0}, ends = {NULL, 0};
    for (size_t place = 0; place < graph->nodes.count; place++) {
        struct node *node = graph->nodes.items[place];
        for (size_t edge = 0; edge < node->before.count; edge++) {
            append(&starts, node->before.items[edge]);
            append(&ends, node);
        }
    }
    if (edges && count) memset(edges, 0, 8 * *count);
    size_t same = count ? *count : 0;
    CUresult result = give_and_free(starts, from, &same);
    if (result == CUDA_SUCCESS) result = give_and_free(ends, to, count);
    return leave(result);
}

static CUresult change_edges(struct graph *graph, void **from, void **to, size_t count, int is_new) {
    for (size_t place = 0; place < count; place++) {
        struct node *start = find(NODE, from[place]), *end = find(NODE, to[place]);
        if (!start || !end || start == end || start->graph != graph || end->graph != graph)
            return CUDA_ERROR_INVALID_VALUE;
        if (holds(&end->before, start) == is_new) return CUDA_ERROR_INVALID_VALUE;
        if (is_new) append(&end->before, start);
        else take_out(&end->before, start);
    }
    return CUDA_SUCCESS;
}

PUBLIC CUresult cuGraphAddDependencies_v2(void *handle, void **from, void **to, const void *edges, size_t count) {
    ENTER_GRAPH(graph, handle);
    (void)edges;
    return leave(change_edges(graph, from, to, count, 1));
}

PUBLIC CUresult cuGraphRemoveDependencies_v2(void *handle, void **from, void **to, const void *edges, size_t count) {
    ENTER_GRAPH(graph, handle);
    (void)edges;
    return leave(change_edges(graph, from, to, count, 0));
}
