"""The CUDA runtime: devices, streams, memory, loaded code and launches, over the driver API. Nothing here is imported
before the first use of a GPU."""
