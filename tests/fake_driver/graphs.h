// Graphs: nodes with what each waits for. An execution is a copy of the nodes in an order that they can run in.
#ifndef GRAPHS_H
#define GRAPHS_H

#include "streams.h"

struct node { struct object object; struct graph *graph; struct operation operation; struct nodes before; };
struct graph { struct object object; struct nodes nodes; };
struct step { struct node *node; struct operation operation; int is_disabled; };
struct execution {
    struct object object;
    struct device *device;
    struct step *steps;
    size_t count;
    uint64_t flags;
    int running;
};

struct nodes copy_of_nodes(const struct nodes *nodes);
void append(struct nodes *nodes, struct node *node);
int holds(const struct nodes *nodes, const struct node *node);
void take_out(struct nodes *nodes, const struct node *node);

struct graph *new_graph(void);
struct node *add_node(struct graph *graph, const struct nodes *before, const struct operation *operation);
void destroy_graph(struct graph *graph);
// The nodes, each after those that it waits for; the caller frees it. Nothing for a graph that goes in a circle.
struct nodes in_order(const struct graph *graph);
int node_type(const struct node *node);  // as CUgraphNodeType

// Operations from the driver's structures: graph_parameters.c
struct kernel_parameters;
struct fill_parameters;
struct copy3;
CUresult kernel_operation(const struct kernel_parameters *given, struct operation *operation);
CUresult fill_operation(const struct fill_parameters *given, struct operation *operation);
CUresult copy_operation(const struct copy3 *given, struct operation *operation);

#endif
