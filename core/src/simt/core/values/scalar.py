"""``Scalar``: a number with its type. Subclasses in ``scalars.py`` differ only in ``scalar_type``."""
from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from simt.core.types import ScalarType
from simt.core.values import operators
from simt.core.values.numpy_types import payload_to_numpy
from simt.core.values.payload import Payload, convert


class Scalar:
    """A value of one scalar type. Calling the class is an explicit conversion; operators follow the number rules.

    Python numbers are weak literals: they take the type of the scalar they meet, and must fit it. A Python ``bool``
    is a bool, a NumPy scalar has the type of its dtype. Equal numbers hash equally, whatever their type.
    """

    __slots__ = ("_payload",)
    scalar_type: ClassVar[ScalarType]
    numpy_dtype: ClassVar[np.dtype[Any]]  # Any: the scalar type of a dtype is known only per subclass
    _payload: Payload

    def __init__(self, value: object = 0, /) -> None:
        self._payload = convert(payload_of(value), self.scalar_type)

    @classmethod
    def holding(cls, payload: Payload) -> Scalar:
        """The value with exactly this payload, which must be one of the type."""
        scalar = object.__new__(cls)
        scalar._payload = payload
        return scalar

    @property
    def payload(self) -> Payload:
        """The Python number that this value is."""
        return self._payload

    def __add__(self, other: object) -> object:
        return operators.binary("+", self, other)

    def __radd__(self, other: object) -> object:
        return operators.binary("+", other, self)

    def __sub__(self, other: object) -> object:
        return operators.binary("-", self, other)

    def __rsub__(self, other: object) -> object:
        return operators.binary("-", other, self)

    def __mul__(self, other: object) -> object:
        return operators.binary("*", self, other)

    def __rmul__(self, other: object) -> object:
        return operators.binary("*", other, self)

    def __truediv__(self, other: object) -> object:
        return operators.binary("/", self, other)

    def __rtruediv__(self, other: object) -> object:
        return operators.binary("/", other, self)

    def __floordiv__(self, other: object) -> object:
        return operators.binary("//", self, other)

    def __rfloordiv__(self, other: object) -> object:
        return operators.binary("//", other, self)

    def __mod__(self, other: object) -> object:
        return operators.binary("%", self, other)

    def __rmod__(self, other: object) -> object:
        return operators.binary("%", other, self)

    def __divmod__(self, other: object) -> tuple[object, object]:
        return operators.binary("//", self, other), operators.binary("%", self, other)

    def __rdivmod__(self, other: object) -> tuple[object, object]:
        return operators.binary("//", other, self), operators.binary("%", other, self)

    def __pow__(self, other: object) -> object:
        return operators.power(self, other)

    def __rpow__(self, other: object) -> object:
        return operators.power(other, self)

    def __and__(self, other: object) -> object:
        return operators.binary("&", self, other)

    def __rand__(self, other: object) -> object:
        return operators.binary("&", other, self)

    def __or__(self, other: object) -> object:
        return operators.binary("|", self, other)

    def __ror__(self, other: object) -> object:
        return operators.binary("|", other, self)

    def __xor__(self, other: object) -> object:
        return operators.binary("^", self, other)

    def __rxor__(self, other: object) -> object:
        return operators.binary("^", other, self)

    def __lshift__(self, other: object) -> object:
        return operators.shift("<<", self, other)

    def __rlshift__(self, other: object) -> object:
        return operators.shift("<<", other, self)

    def __rshift__(self, other: object) -> object:
        return operators.shift(">>", self, other)

    def __rrshift__(self, other: object) -> object:
        return operators.shift(">>", other, self)

    def __neg__(self) -> object:
        return operators.negate(self)

    def __pos__(self) -> object:
        return self

    def __invert__(self) -> object:
        return operators.invert(self)

    def __abs__(self) -> object:
        return operators.absolute(self)

    def __eq__(self, other: object) -> bool:
        return operators.compare("==", self, other)

    def __ne__(self, other: object) -> bool:
        return operators.compare("!=", self, other)

    def __lt__(self, other: object) -> bool:
        return operators.compare("<", self, other)

    def __le__(self, other: object) -> bool:
        return operators.compare("<=", self, other)

    def __gt__(self, other: object) -> bool:
        return operators.compare(">", self, other)

    def __ge__(self, other: object) -> bool:
        return operators.compare(">=", self, other)

    @property
    def real(self) -> Scalar:
        """The real part: of a real number, the number itself."""
        return self

    def __hash__(self) -> int:
        return hash(self._payload)

    def __bool__(self) -> bool:
        return self._payload != 0

    def __format__(self, specification: str) -> str:
        return format(self._payload, specification) if specification else str(self)

    def __str__(self) -> str:
        if self.numpy_dtype.kind == "f":
            return str(self.__array__()[()])  # the shortest digits that give this value in its own width
        return str(self._payload)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._payload,)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:  # Any: NumPy's protocol
        array = payload_to_numpy(self._payload, self.scalar_type)
        return array if dtype is None else array.astype(dtype)


class Integer(Scalar):
    """Signed and unsigned integers."""

    __slots__ = ()

    def __index__(self) -> int:
        return int(self._payload.real)

    def __int__(self) -> int:
        return int(self._payload.real)

    def __float__(self) -> float:
        return float(self._payload.real)


class Float(Scalar):
    """Floating-point numbers."""

    __slots__ = ()

    def __int__(self) -> int:
        return int(self._payload.real)

    def __float__(self) -> float:
        return float(self._payload.real)


class Complex(Scalar):
    """Complex numbers: ``c64(re)``, ``c64(re, im)`` or ``c64(z)``."""

    __slots__ = ()

    def __init__(self, value: object = 0, imaginary: object = None, /) -> None:
        super().__init__(value)
        if imaginary is not None:
            parts = (convert(payload_of(part), self.scalar_type.component) for part in (value, imaginary))
            self._payload = complex(*parts)

    def __complex__(self) -> complex:
        return complex(self._payload)

    @property
    def real(self) -> Scalar:
        """The real part, a scalar of the component type."""
        return operators.holding(self._payload.real, self.scalar_type.component)

    @property
    def imag(self) -> Scalar:
        """The imaginary part, a scalar of the component type."""
        return operators.holding(self._payload.imag, self.scalar_type.component)

    def conjugate(self) -> Scalar:
        """The number with the sign of its imaginary part flipped."""
        return operators.holding(complex(self._payload).conjugate(), self.scalar_type)


def payload_of(value: object) -> Payload:
    """The Python number inside a scalar, a Python number or a NumPy scalar.

    Raises:
        TypeError: ``value`` is none of these.
    """
    operand = operators.operand_of(value)
    if operand is None:
        raise TypeError(f"{type(value).__name__} is no number: {value!r}")
    return operand.payload
