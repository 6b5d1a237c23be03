"""Textures and surfaces on the host, whichever device they are of: their texels, how they are read, their type."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from simt.core.errors import LaunchError
from simt.core.image_description import FORMATS, Address, Filter
from simt.core.runtime.dtypes import as_dtype
from simt.core.runtime.memory import Memory, memory_of
from simt.core.types import ImageKind, ImageType, ScalarType, VectorType
from simt.core.types.scalar import F32
from simt.core.values.numpy_types import DTYPES, NumpyType, scalar_type_of_dtype

AnyArray = np.ndarray[Any, Any]  # Any: arrays of every shape and dtype
Word = TypeVar("Word", Address, Filter)
WIDEST_NORMALIZED = 16  # bits of an integer channel that can be read as a fraction


@dataclass(frozen=True, slots=True)
class Texels:
    """The form of an image: ``extents`` in the order of NumPy's axes, last is x; ``channel`` as it lies in memory."""

    extents: tuple[int, ...]
    channel: ScalarType
    channels: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its elements as a NumPy array: with an axis for the channels if there are several."""
        return self.extents if self.channels == 1 else (*self.extents, self.channels)

    @property
    def dtype(self) -> NumpyType:
        """NumPy's dtype of one channel."""
        return DTYPES[self.channel]

    @property
    def texel_bytes(self) -> int:
        """Bytes of one texel."""
        return self.dtype.itemsize * self.channels


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a texture is read. ``address`` has one mode an axis, x first."""

    filter: Filter
    address: tuple[Address, Address, Address]
    normalized: bool
    as_float: bool
    border: tuple[float, float, float, float]


class HostImage(ABC):
    """What a ``Texture`` or ``Surface`` parameter takes."""

    launch_checks: ClassVar[tuple[str, ...]] = ()
    """Attributes that must be as they were at the launch that a fast path is made for."""

    after_launch: ClassVar[tuple[str, ...]] = ()
    """Text that a fast path runs after a launch, as ``fast_path.OwnArray.afterwards``."""

    type: ImageType
    texels: Texels

    @property
    @abstractmethod
    def handle(self) -> int:
        """What the kernel gets: 64 bits."""

    @property
    @abstractmethod
    def span(self) -> tuple[int, int]:
        """The first address that no other memory has, and the one after the last, for the check of aliases."""

    @abstractmethod
    def memory(self, argument: str) -> Memory:
        """Where it lies, for the checks of a launch; messages name ``argument``."""

    @abstractmethod
    def numpy(self) -> AnyArray:
        """A copy of the elements in host memory."""

    @abstractmethod
    def copy_from(self, source: object) -> None:
        """Overwrite all elements with those of ``source``, of the same shape and dtype.

        Raises:
            ValueError: shapes or dtypes differ.
        """

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of its elements as a NumPy array."""
        return self.texels.shape

    @property
    def dtype(self) -> NumpyType:
        """NumPy's dtype of one channel."""
        return self.texels.dtype

    @property
    def ndim(self) -> int:
        """Axes of texels: 1, 2 or 3."""
        return len(self.texels.extents)

    @property
    def channels(self) -> int:
        """Values of a texel: 1, 2 or 4."""
        return self.texels.channels

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.type} of shape {self.shape}, dtype {self.dtype}>"


def texels_of(shape: int | Sequence[int], dtype: object, channels: int | None) -> Texels:
    """The form of an image from what a user gives: the last axis holds the channels if ``channels`` is above 1.

    A dtype with the fields of a small vector, such as ``f32x4``, brings its own number of channels.

    Raises:
        LaunchError: no image has that form.
    """
    extents = (int(shape),) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
    kind = as_dtype(dtype)
    if kind.names is not None and scalar_type_of_dtype(kind) is None:
        channels, kind = len(kind.names), kind[0]
    elif channels not in (None, 1):
        if not extents or extents[-1] != channels:
            raise LaunchError(f"shape {extents}: with channels={channels} its last axis is {channels} long")
        extents = extents[:-1]
    channel = scalar_type_of_dtype(kind)
    if channel is None or channel not in FORMATS:
        names = ", ".join(str(DTYPES[known]) for known in FORMATS)
        raise LaunchError(f"dtype {kind}: an image holds {names}; convert with .astype(np.float32)")
    if channels not in (None, 1, 2, 4):
        raise LaunchError(f"channels={channels}: an image has 1, 2 or 4 channels; add one to an array of three")
    if not 1 <= len(extents) <= 3 or min(extents) < 1:
        advice = "; pass channels=4 if the last axis holds channels" if len(extents) == 4 else ""
        raise LaunchError(f"shape {extents}: an image has 1 to 3 axes, none empty{advice}")
    return Texels(extents, channel, channels or 1)


def form_of(source: object, channels: int | None) -> Texels:
    """The form of an image made from ``source``: a surface's, or an array's, see ``texels_of``."""
    if isinstance(source, HostImage):
        return source.texels
    memory = memory_of(source, "source")
    if memory is not None:
        return texels_of(memory.shape, memory.dtype, channels)
    array: AnyArray = np.asarray(source)
    return texels_of(array.shape, array.dtype, channels)


def sampling_of(
    filter: str, address: str | Sequence[str], normalized: bool, read: str, border: object, texels: Texels,
) -> Sampling:
    """How a texture is read, from what a user writes.

    Raises:
        LaunchError: a word that means nothing here, or settings that do not go together.
    """
    ndim = len(texels.extents)
    words = (address,) * ndim if isinstance(address, str) else tuple(address)
    if len(words) != ndim:
        raise LaunchError(f"address={address!r}: give one mode, or one for each of the {ndim} axes, x first")
    modes = [_word(Address, word, "address") for word in words]
    kind = _word(Filter, filter, "filter")
    if not normalized and any(mode in (Address.WRAP, Address.MIRROR) for mode in modes):
        raise LaunchError(
            f"address={address!r}: the hardware wraps and mirrors normalized coordinates only; pass normalized=True "
            "and coordinates from 0 to 1"
        )
    if read not in ("element", "float"):
        raise LaunchError(f'read={read!r}: write "element", or "float" to read integers as fractions')
    integral = texels.channel.is_integer
    if integral and read == "float" and texels.channel.bits > WIDEST_NORMALIZED:
        raise LaunchError(f'read="float": the hardware reads 8- and 16-bit integers as fractions, not {texels.channel}')
    as_float = not integral or read == "float"
    if kind is Filter.LINEAR and not as_float:
        advice = 'pass read="float" to filter fractions, or ' if texels.channel.bits <= WIDEST_NORMALIZED else ""
        raise LaunchError(
            f'filter="linear": {texels.channel} elements are not filtered; {advice}filter="point", or a float array'
        )
    if not as_float and _border(border) != (0.0, 0.0, 0.0, 0.0):
        raise LaunchError(f"border={border!r}: outside an image that is read as integers there are zeros")
    modes += [Address.CLAMP] * (3 - ndim)
    return Sampling(kind, (modes[0], modes[1], modes[2]), normalized, as_float, _border(border))


def texture_type(texels: Texels, sampling: Sampling) -> ImageType:
    """The type of the parameters that take such a texture."""
    return ImageType(ImageKind.TEXTURE, _element(F32 if sampling.as_float else texels.channel, texels.channels),
                     len(texels.extents))


def surface_type(texels: Texels) -> ImageType:
    """The type of the parameters that take such a surface."""
    return ImageType(ImageKind.SURFACE, _element(texels.channel, texels.channels), len(texels.extents))


def host_texels(source: object, texels: Texels) -> AnyArray:
    """``source`` as a C-contiguous array of the image's shape and dtype.

    Raises:
        ValueError: its shape or dtype is another one.
    """
    memory = memory_of(source, "source")
    if memory is not None and not memory.on_host:
        raise LaunchError("the source lies on a GPU; write source.numpy(), or make the image with that device")
    values = np.asarray(source)
    if values.dtype.names is not None and scalar_type_of_dtype(values.dtype) is None:
        values = np.ascontiguousarray(values).view(values.dtype[0]).reshape(*values.shape, -1)
    if values.shape != texels.shape or values.dtype != texels.dtype:
        raise ValueError(
            f"cannot copy {values.dtype} of shape {values.shape} into {texels.dtype} of shape {texels.shape}"
        )
    return np.ascontiguousarray(values)


def _element(channel: ScalarType, channels: int) -> ScalarType | VectorType:
    return channel if channels == 1 else VectorType(channel, channels)


def _word(kind: type[Word], word: object, parameter: str) -> Word:
    if isinstance(word, str) and word.upper() in kind.__members__:
        return kind.__members__[word.upper()]
    names = ", ".join(f'"{name.lower()}"' for name in kind.__members__)
    raise LaunchError(f"{parameter}={word!r}: write one of {names}")


def _border(border: object) -> tuple[float, float, float, float]:
    values = (border,) * 4 if isinstance(border, int | float) else tuple(cast("Sequence[object]", border))
    if not 1 <= len(values) <= 4 or not all(isinstance(value, int | float) for value in values):
        raise LaunchError(f"border={border!r}: one number, or up to four, one a channel")
    padded = [float(cast("float", value)) for value in values] + [0.0] * (4 - len(values))
    return padded[0], padded[1], padded[2], padded[3]
