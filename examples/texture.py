"""An image resized through a texture: the filter between pixels is the texture's, and so is what lies outside."""
import numpy as np

from simt.core import D2, Surface, Texture, default_device, f32, kernel, u8
from simt.cuda_std import math, surface, texture, thread


@kernel
def resize(source: Texture[f32, D2], target: Surface[u8, D2]):
    x, y = thread.index_2d()
    width, height = surface.width(target), surface.height(target)
    if x < width and y < height:
        # Normalized coordinates: the same place of the picture, whatever its size.
        value = texture.fetch(source, (f32(x) + 0.5) / f32(width), (f32(y) + 0.5) / f32(height))
        surface.store(target, x, y, u8(math.rint(255 * value)))


rows, columns = np.mgrid[0:48, 0:64]
picture = (127.5 + 127.5 * np.sin(rows / 5) * np.cos(columns / 7)).astype(np.uint8)

device = default_device()
source = device.texture(picture, filter="linear", address="clamp", normalized=True, read="float")
target = device.surface((96, 160), u8)
resize[(10, 6), (16, 16)](source, target)
resized = target.numpy()

# Bilinear interpolation between the centres of the pixels, for comparison.
y = np.clip((np.arange(96) + 0.5) / 2 - 0.5, 0, 47)[:, np.newaxis]
x = np.clip((np.arange(160) + 0.5) / 2.5 - 0.5, 0, 63)
top, left = np.minimum(y.astype(np.int64), 46), np.minimum(x.astype(np.int64), 62)
upper = picture[top, left] * (1 - (x - left)) + picture[top, left + 1] * (x - left)
lower = picture[top + 1, left] * (1 - (x - left)) + picture[top + 1, left + 1] * (x - left)
expected = upper * (1 - (y - top)) + lower * (y - top)
difference = np.abs(resized - expected).max()
print(device.name, f"{picture.shape} to {resized.shape}, at most {difference:.2f} of 255 from exact weights")
assert difference < 1.5
