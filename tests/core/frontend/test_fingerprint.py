"""The key of the cache changes with everything that decides a kernel, and with nothing else."""
from __future__ import annotations

import enum
import functools
import importlib.util
import linecache
import math
import pkgutil
import subprocess
import sys
import types
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

import simt.core
import simt.cuda_std
from simt.core.annotations import In
from simt.core.frontend.fingerprint import fingerprint
from simt.core.frontend.installed import digest_of_folders, installed_digest
from simt.core.intrinsics.declare import REGISTRY, Sm, intrinsic
from simt.core.intrinsics.recipe import LlvmCall
from simt.core.scalars import f32, f64, i32
from simt.core.struct import struct
from simt.cuda_std import bits, thread


def load(folder: Path, name: str, **texts: str) -> types.ModuleType:
    """Write the modules and import the one called ``name``, as a new process would."""
    for module, text in texts.items():
        (folder / f"{module}.py").write_text(text)
    for module in texts:
        sys.modules.pop(module, None)
        linecache.cache.pop(str(folder / f"{module}.py"), None)
    return importlib.import_module(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    return tmp_path


def digest(function: Any, **kwargs: Any) -> str:
    """The digest of a function whose captured values all have known content."""
    found = fingerprint(function, **kwargs)
    assert found.problems == ()
    assert not found.watch.changed()
    return found.digest


KERNEL = "from fp_helper import helper\nSCALE = {scale}\ndef kernel(x):\n    return helper(x) * SCALE{more}\n"
HELPER = "def helper(x):\n    return inner(x) + 1\ndef inner(x):\n    return x {op} 2\n"


def test_text_of_kernel_callee_and_global_decide(folder: Path) -> None:
    def variant(scale: object = 3, more: str = "", op: str = "*") -> str:
        importlib.invalidate_caches()
        texts = {"fp_helper": HELPER.format(op=op), "fp_kernel": KERNEL.format(scale=scale, more=more)}
        return digest(load(folder, "fp_kernel", **texts).kernel)

    base = variant()
    assert variant() == base
    found = {
        base, variant(scale=4), variant(scale=3.0), variant(scale=True), variant(scale="-0.0"), variant(scale="0.0"),
        variant(more=" + 0"), variant(op="-"),
    }
    assert len(found) == 8
    assert variant() == base


def test_place_in_the_file_decides(folder: Path) -> None:
    first = digest(load(folder, "fp_place", fp_place="def kernel(x):\n    return x\n").kernel)
    moved = digest(load(folder, "fp_place", fp_place="\ndef kernel(x):\n    return x\n").kernel)
    assert first != moved, "line tables name the line"


def test_same_in_another_process(folder: Path) -> None:
    text = (
        "import enum, math\nimport numpy as np\n"
        "from simt.core.scalars import f32\nfrom simt.core.struct import struct\n"
        "from simt.cuda_std import thread\n"
        "class Mode(enum.IntEnum):\n    A = 1\n"
        "@struct\nclass P:\n    x: f32\n    def get(self):\n        return self.x * math.pi\n"
        "TABLE, PAIR, POINT = np.arange(4), (1, 'a', Mode.A), P(1.5)\n"
        "def kernel(p: P, q: 'f32'):\n    i = thread.index_1d()\n"
        "    return TABLE[i] + PAIR[0] + Mode.A + POINT.x + P(q).x\n"
    )
    here = digest(load(folder, "fp_process", fp_process=text).kernel)
    program = (
        "from fp_process import kernel\nfrom simt.core.frontend.fingerprint import fingerprint\n"
        "print(fingerprint(kernel).digest)"
    )
    command = [sys.executable, "-c", program]
    there = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, env={
        "PYTHONPATH": ":".join([str(folder), *sys.path]), "PYTHONHASHSEED": "12345", "PYTHONDONTWRITEBYTECODE": "1",
    })
    assert there.stdout.strip() == here


def with_values(*, closure: object = 1, default: object = 1, keyword: object = 1) -> Any:
    def kernel(x: Any, y: Any = default, *, z: Any = keyword) -> Any:
        return x + y + z + closure  # pyright: ignore

    return kernel


class Color(enum.Enum):
    RED = 1
    BLUE = 2


def test_closure_and_defaults_decide() -> None:
    base = digest(with_values())
    for name in ("closure", "default", "keyword"):
        assert digest(with_values(**{name: 2})) != base
        assert digest(with_values(**{name: 1})) == base


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, 2), (1, 1.0), (1, True), (0.0, -0.0), (1.5, 1.5 + 2**-50), (math.nan, math.inf), ("a", "b"), ("1", 1),
        (1j, 1), (None, 0), ((1, 2), (2, 1)), ((1, 2), (12,)), (((1,), 2), (1, (2,))), (("ab", "c"), ("a", "bc")),
        (Color.RED, Color.BLUE), (Color.RED, 1), (Color, Color.RED),
        (np.float32(1), np.float64(1)), (np.float32(1), 1.0), (np.int32(1), np.uint32(1)),
        (np.arange(4), np.arange(4.0)), (np.arange(4), np.arange(4)[::-1]), (np.zeros((2, 3)), np.zeros((3, 2))),
        (np.zeros(2, "i4"), np.zeros(1, "i8")), (np.zeros(1, [("a", "i4")]), np.zeros(1, [("b", "i4")])),
        (f32, f64), (f32(1), f64(1)), (f32(1), f32(2)), (f32(1), 1.0), (f32(0.0), f32(-0.0)),
        (In[f32], In[f64]), (TypeVar("T"), TypeVar("T", f32, f64)), (math.sin, math.cos), (len, max),
        (thread.index_1d, thread.index_2d), (range(3), range(4)), (1 << 100, 1 << 101),
        (with_values(closure=1), with_values(closure=2)), ((with_values(default=1),), (with_values(default=2),)),
        (functools.partial(with_values, closure=1), functools.partial(with_values, closure=2)), (math, np),
        (np.dtype("f4"), np.dtype("f8")), (tuple[f32, f32], tuple[f32, f64]), (f32 | None, f64 | None),
    ],
    ids=lambda value: repr(value)[:30],
)
def test_values_that_differ(a: object, b: object) -> None:
    assert digest(with_values(closure=a)) != digest(with_values(closure=b))
    assert digest(with_values(closure=a)) == digest(with_values(closure=a))


def test_values_that_are_equal() -> None:
    for make in (lambda: 10**30, lambda: 1.5, lambda: (1, "x", 2.5), lambda: np.arange(5), lambda: f32(2.5)):
        assert digest(with_values(closure=make())) == digest(with_values(closure=make()))


STRUCT = """
from simt.core.intrinsics.declare import REGISTRY, Sm, intrinsic
from simt.core.intrinsics.recipe import LlvmCall
from simt.core.scalars import f32, f64, i32
from simt.core.struct import struct
K = {k}
@struct
class P:
    x: {kind}
    y: i32 = {default}
    def get(self):
        return self.x {op} K
    @property
    def double(self):
        return 2 * self.x
    @staticmethod
    def zero():
        return P(0)
def kernel(p: P):
    return p.get()
def generic(p):
    return p.get()
"""


def test_struct_fields_methods_and_what_methods_capture_decide(folder: Path) -> None:
    def variant(k: object = 1, kind: str = "f32", default: int = 0, op: str = "+", kernel: str = "kernel") -> str:
        text = STRUCT.format(k=k, kind=kind, default=default, op=op)
        module = load(folder, "fp_struct", fp_struct=text)
        return digest(getattr(module, kernel), values=(module.P,))

    base = variant()
    assert variant() == base
    assert len({base, variant(k=2), variant(kind="f64"), variant(op="-")}) == 4
    generic = variant(kernel="generic")
    assert variant(k=2, kernel="generic") != generic, "the struct of an argument brings its methods"


def test_enum_members_decide(folder: Path) -> None:
    text = "import enum\nclass Mode(enum.IntEnum):\n    A = 1\n    B = {b}\ndef kernel(x):\n    return x == Mode.A\n"
    first = digest(load(folder, "fp_enum", fp_enum=text.format(b=2)).kernel)
    assert digest(load(folder, "fp_enum", fp_enum=text.format(b=3)).kernel) != first


def test_annotation_of_a_local_decides(folder: Path) -> None:
    """Python never evaluates it, so no instruction of the function names it."""
    text = "from simt.core.scalars import f32, f64\nReal = {real}\ndef kernel(x):\n    total: Real = x\n"
    first = digest(load(folder, "fp_local", fp_local=text.format(real="f32")).kernel)
    assert digest(load(folder, "fp_local", fp_local=text.format(real="f64")).kernel) != first


def test_missing_names_and_attributes_decide() -> None:
    def kernel(x: Any) -> Any:
        return x + undefined + math.nothing + Color.RED.value  # pyright: ignore

    before = digest(kernel)
    globals()["undefined"] = 1
    try:
        assert digest(kernel) != before
    finally:
        del globals()["undefined"]
    assert digest(kernel) == before


def test_cycles_end() -> None:
    def even(n: Any) -> Any:
        return n == 0 or odd(n - 1)

    def odd(n: Any) -> Any:
        return n != 0 and even(n - 1)

    assert digest(even) != digest(odd)


def test_compile_time_arguments_decide() -> None:
    kernel = with_values()
    assert digest(kernel, values=(1, f32)) != digest(kernel, values=(1, f64))
    assert digest(kernel, values=(with_values(closure=1),)) != digest(kernel, values=(with_values(closure=2),))


def test_a_callee_that_is_no_kernel_code_still_decides() -> None:
    def helper(x: Any) -> Any:
        return [x + 1]

    def other(x: Any) -> Any:
        return [x + 2]

    assert digest(with_values(closure=helper)) != digest(with_values(closure=other))


def test_unknown_objects_are_named() -> None:
    class Host:
        pass

    cases = {"Host": Host(), "is the class": Host, "set": {1}, "NumPy array of objects":
             np.array([None], dtype=object)}
    for words, value in cases.items():
        found = fingerprint(with_values(closure=value))
        assert len(found.problems) == 1
        assert words in found.problems[0] and "`closure`" in found.problems[0]


def test_lists_count_by_their_items() -> None:
    items = [1, 2]
    found = fingerprint(with_values(closure=items))
    assert not found.problems
    assert digest(with_values(closure=[1, 2])) == found.digest != digest(with_values(closure=[1, 3]))
    assert not found.watch.changed()
    items[1] = 3
    assert found.watch.changed()


def test_objects_may_tell_their_content() -> None:
    class Told:
        def __init__(self, n: int) -> None:
            self.n = n

        def __simt_fingerprint__(self) -> object:
            return self.n

    assert digest(with_values(closure=Told(1))) == digest(with_values(closure=Told(1)))
    assert digest(with_values(closure=Told(1))) != digest(with_values(closure=Told(2)))


FOR_HOSTS = ("annotations", "default_device")


def public_names() -> dict[str, object]:
    """What a kernel may name of the suite, by dotted name."""
    names = [module.name for module in pkgutil.walk_packages(simt.cuda_std.__path__, "simt.cuda_std.")]
    modules = [importlib.import_module(name) for name in names if not name.rpartition(".")[2].startswith("_")]
    return {
        f"{module.__name__}.{name}": getattr(module, name) for module in (simt.core, *modules)
        for name in getattr(module, "__all__", vars(module)) if not name.startswith("_") and name not in FOR_HOSTS
    }


def test_a_kernel_that_names_anything_of_the_suite_is_kept_on_disk() -> None:
    problems = {name: fingerprint(with_values(closure=value)).problems for name, value in public_names().items()}
    assert len(problems) > 300
    assert {name: found for name, found in problems.items() if found} == {}


def test_intrinsics_of_others_are_told_by_what_they_declare() -> None:
    def declared(ptx: str) -> object:
        def popc(x: i32) -> i32:
            """Number of set bits."""
            return x

        recipe = {"gpu": LlvmCall("llvm.ctpop.i32"), "cpu": LlvmCall("llvm.ctpop.i32")}
        made = intrinsic(ptx=ptx, since=Sm(75), source="", **recipe)(popc)
        del REGISTRY[made.name]
        return made

    found = fingerprint(with_values(closure=declared("popc")))
    assert not found.problems
    assert found.digest == digest(with_values(closure=declared("popc"))) != digest(with_values(closure=declared("")))
    assert digest(with_values(closure=bits.popc)) != digest(with_values(closure=bits.clz))


def test_digest_of_installed_files(tmp_path: Path) -> None:
    (tmp_path / "core" / "__pycache__").mkdir(parents=True)
    (tmp_path / "core" / "a.py").write_text("x = 1\n")
    first = digest_of_folders([str(tmp_path)])
    (tmp_path / "core" / "__pycache__" / "a.py").write_text("")
    (tmp_path / "core" / "notes.txt").write_text("")
    assert digest_of_folders([str(tmp_path)]) == first
    (tmp_path / "core" / "a.py").write_text("x = 12\n")
    assert digest_of_folders([str(tmp_path)]) != first
    assert len(installed_digest()) == 64


# ---- what a launch looks at


WATCHED = 1


@struct
class Point:
    x: f32
    y: i32 = i32(0)


def watched(x: Any) -> Any:
    return helper_of_watched(x) + WATCHED + math.pi


def helper_of_watched(x: Any) -> Any:
    return x + Color.RED.value  # pyright: ignore


def test_changes_between_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = fingerprint(watched).watch
    changes: list[tuple[Any, str, object]] = [
        (sys.modules[__name__], "WATCHED", 2), (math, "pi", 3.0), (sys.modules[__name__], "Color", None),
        (helper_of_watched, "__code__", (lambda x: x).__code__), (helper_of_watched, "__defaults__", (1,)),
        (helper_of_watched, "__kwdefaults__", {"x": 1}), (sys.modules[__name__], "helper_of_watched", watched),
    ]
    for owner, name, value in changes:
        with monkeypatch.context() as patch:
            assert not watch.changed()
            patch.setattr(owner, name, value)
            assert watch.changed(), name
    assert not watch.changed()


def test_cells_arrays_and_structs_change_in_place() -> None:
    table, point = np.arange(3), Point(1.0)
    n = 1

    def kernel(x: Any) -> Any:
        return x + n + table[0] + point.x

    watch = fingerprint(kernel).watch
    assert not watch.changed()
    table[1] = 5
    assert watch.changed()
    table[1] = 1
    assert not watch.changed()
    point.x = f32(2)
    assert watch.changed()
    watch = fingerprint(kernel).watch
    n = 2
    assert watch.changed()


def test_a_global_that_hides_a_builtin_or_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    def kernel(x: Any) -> Any:
        return abs(x) + appears_later  # pyright: ignore

    watch = fingerprint(kernel).watch
    for name in ("abs", "appears_later"):
        with monkeypatch.context() as patch:
            assert not watch.changed()
            patch.setitem(globals(), name, 1)
            assert watch.changed()


def test_read_only_arrays_are_not_compared_at_launches() -> None:
    table = np.arange(3)
    table.flags.writeable = False
    assert fingerprint(with_values(closure=table)).watch.arrays == []
    assert len(fingerprint(with_values(closure=np.arange(3))).watch.arrays) == 1
    view = np.arange(3)[:2]
    view.flags.writeable = False
    assert len(fingerprint(with_values(closure=view)).watch.arrays) == 1, "its base can be written"


def test_methods_that_are_replaced() -> None:
    @struct
    class Local:
        x: f32

        def get(self) -> Any:
            return self.x

    def kernel(p: Any) -> Any:
        return Local(p).get()

    watch = fingerprint(kernel).watch
    assert not watch.changed()
    Local.get = lambda self: self.x + 1  # pyright: ignore
    assert watch.changed()
