"""The input, a photograph and its JPEG copy, and the picture of the result."""
# matplotlib leaves its keyword arguments untyped:
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import io
from pathlib import Path

import matplotlib

matplotlib.use("Agg")  # no window: the demo writes a file
import matplotlib.pyplot as plt
import numpy as np
from matplotlib import cbook
from numpy.typing import NDArray
from PIL import Image

QUALITY = 15
"""JPEG quality of the copy, low enough that the damage is seen."""


def photograph() -> NDArray[np.uint8]:
    """The portrait of Grace Hopper that matplotlib ships: (height, width, 3)."""
    path = cbook.get_sample_data("grace_hopper.jpg", asfileobj=False)
    return np.array(Image.open(path).convert("RGB"))


def recompressed(picture: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], int]:
    """The picture after JPEG at ``QUALITY``, and the size of the file in bytes."""
    buffer = io.BytesIO()
    Image.fromarray(picture).save(buffer, "JPEG", quality=QUALITY)
    return np.array(Image.open(buffer).convert("RGB")), buffer.getbuffer().nbytes


def save_comparison(
    path: Path, original: NDArray[np.uint8], copy: NDArray[np.uint8], similarity: NDArray[np.float32], title: str,
) -> None:
    """Original, copy and SSIM map side by side, as a PNG."""
    figure, axes = plt.subplots(1, 3, figsize=(13, 5.4), layout="constrained")
    axes[0].imshow(original)
    axes[0].set_title("photograph")
    axes[1].imshow(copy)
    axes[1].set_title(f"JPEG, quality {QUALITY}")
    shown = axes[2].imshow(similarity, cmap="viridis", vmin=0, vmax=1)
    axes[2].set_title("SSIM: dark where structure was lost")
    for axis in axes:
        axis.set_axis_off()
    figure.colorbar(shown, ax=axes[2], shrink=0.8)
    figure.suptitle(title)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
