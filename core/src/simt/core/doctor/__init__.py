"""``python -m simt.core.doctor``: what simt finds on this machine, and what to do about what is missing."""
