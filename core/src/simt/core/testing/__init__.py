"""What tests of kernels use: the kernel's own Python as the oracle, comparisons of targets, random programs."""
