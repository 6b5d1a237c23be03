"""Types of the part of llvmlite that simt uses; llvmlite itself ships none."""
