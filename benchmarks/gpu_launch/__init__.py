"""Host time of a launch on a GPU beside other systems, in one run: ``python -m benchmarks gpu_launch``."""
