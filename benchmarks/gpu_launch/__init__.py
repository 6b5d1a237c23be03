"""Host time of a launch on a GPU beside other systems, in one run: ``python -m benchmarks gpu_launch``."""
from benchmarks.gpu_launch.bursts import run

__all__ = ["run"]
