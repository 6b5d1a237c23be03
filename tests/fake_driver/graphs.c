// Graphs are not supported: no call begins a capture, so nothing of this is reached.
#include "streams.h"
CUresult run_graph(struct device *device, struct exec *exec){(void)device;(void)exec;return CUDA_ERROR_NOT_SUPPORTED;}
CUresult capture_operation(struct stream *stream, const struct operation *operation){(void)stream;(void)operation;return CUDA_ERROR_NOT_SUPPORTED;}
CUresult wait_in_capture(struct stream *stream, struct event *event);
CUresult wait_in_capture(struct stream *stream, struct event *event){(void)stream;(void)event;return CUDA_ERROR_NOT_SUPPORTED;}
