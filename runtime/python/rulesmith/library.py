"""librulesmith through ctypes: the structs of its headers (ruletable.h, rulesmith.h), and the library's location.

`RS_LIBRARY_ABI` is the ABI of the headers that these structs mirror. A library with another ABI is rejected with a
message that names the older side; tests/python/library compares every field with the C compiler's layout."""

from __future__ import annotations

import ctypes
import functools
import itertools
import os
from ctypes import (
    POINTER,
    Structure,
    c_bool,
    c_char_p,
    c_int,
    c_int64,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
)
from pathlib import Path

RS_LIBRARY_ABI = 5
TENSOR, INT, CONST, LIST, RANGED, ELEMENTS = range(6)
"""enum rs_kind."""


class LibraryFault(OSError):
    """The library is missing, or its ABI is another."""


class Value(Structure):
    """rs_value."""

    _fields_ = (("kind", c_uint8), ("dtype", c_uint8), ("count", c_uint16), ("first", c_uint16), ("text", c_char_p))


class Arg(Structure):
    """rs_arg."""

    _fields_ = (("name", c_char_p), ("value", c_uint16), ("by_position", c_uint16))


class Op(Structure):
    """rs_op."""

    _fields_ = (
        ("name", c_char_p),
        ("api", c_char_p),
        ("rule", c_char_p),
        ("why", c_char_p),
        ("valid", c_void_p),
        ("propagate", c_void_p),
        ("args", POINTER(Arg)),
        ("values", POINTER(Value)),
        ("floats", POINTER(c_char_p)),
        ("out_ranks", POINTER(c_uint8)),
        ("dtypes", POINTER(c_uint8)),
        ("records", c_void_p),
        ("passed", c_uint32),
        ("failed", c_uint32),
        ("nargs", c_uint16),
        ("nvalues", c_uint16),
        ("nsym", c_uint16),
        ("nin", c_uint16),
        ("nout", c_uint16),
        ("nodim", c_uint16),
        ("ndtypes", c_uint16),
        ("nrecords", c_uint16),
        ("flags", c_uint16),
        ("writes", c_uint64),
        ("sample", c_void_p),
        ("back", c_void_p),
        ("classes", POINTER(c_uint8)),
        ("sampler", c_uint8),
        ("record_type", c_uint8),
    )


class Table(Structure):
    """rs_table."""

    _fields_ = (
        ("abi", c_uint32),
        ("framework", c_char_p),
        ("version", c_char_p),
        ("fingerprint", c_char_p),
        ("ops", POINTER(Op)),
        ("nops", c_uint32),
    )


class Tables(Structure):
    """rs_library."""

    _fields_ = (("abi", c_uint32), ("ntables", c_uint32), ("tables", POINTER(POINTER(Table))))


class Box(Structure):
    """rs_box."""

    _fields_ = (("low", c_int64), ("high", c_int64), ("max_numel", c_int64), ("empty", c_bool))


class Features(Structure):
    """rs_features. Its fields are those that the library names; see load."""


class GenOptions(Structure):
    """rs_gen_options, once the library is loaded."""


_GEN_OPTIONS = (
    ("strategy", c_int),
    ("nodes_low", c_uint32),
    ("nodes_high", c_uint32),
    ("max_numel", c_int64),
    ("api", c_char_p),
    ("picking", c_uint32),
    ("set", c_char_p),
    ("dim_max", c_int64),
    ("rank_max", c_uint32),
    ("apis", POINTER(c_char_p)),
    ("napis", c_uint32),
    ("chooser", c_int),
    ("topology", c_int),
    ("no_mutations", c_bool),
    ("values", c_int),
    ("elements", c_int),
    ("sizes", c_int),
    ("without", POINTER(c_uint64)),
    ("nwithout", c_size_t),
    ("initializers", c_uint32),
    ("no_initializers", c_bool),
    ("chains", c_uint32),
    ("no_chains", c_bool),
    ("symbolic", c_uint32),
    ("assignments", c_uint32),
    ("near_misses", c_uint32),
    ("features", Features),
    ("opset_low", c_uint32),
    ("opset_high", c_uint32),
    ("opset_newest", c_uint32),
)


MIRRORED: dict[str, type[Structure]] = {
    "rs_value": Value,
    "rs_arg": Arg,
    "rs_op": Op,
    "rs_table": Table,
    "rs_library": Tables,
    "rs_box": Box,
    "rs_features": Features,
    "rs_gen_options": GenOptions,
}
"""The functions, by their names in C."""

_BYTES, _SYMBOLS = POINTER(c_uint8), POINTER(c_int64)
_PROTOTYPES: dict[str, tuple[object, tuple[object, ...]]] = {
    "rs_library_check": (c_char_p, (POINTER(Tables),)),
    "rs_library_find": (POINTER(Op), (POINTER(Tables), c_char_p)),
    "rs_library_table": (POINTER(Table), (POINTER(Tables), c_char_p)),
    "rs_dtype_name": (c_char_p, (c_int,)),
    "rs_dtype_parse": (c_int, (c_char_p,)),
    "rs_answer": (c_void_p, (POINTER(Tables), c_void_p, c_char_p)),
    "rs_eval": (c_bool, (POINTER(Op), _SYMBOLS, _SYMBOLS)),
    "rs_caller_new": (c_void_p, (POINTER(Op), POINTER(Box))),
    "rs_caller_free": (None, (c_void_p,)),
    "rs_sample_forward": (c_bool, (c_void_p, c_uint64, _SYMBOLS, _BYTES, _SYMBOLS)),
    "rs_gen_new": (c_void_p, (POINTER(Table), POINTER(GenOptions), c_char_p, c_size_t)),
    "rs_gen_free": (None, (c_void_p,)),
    "rs_feature_name": (c_char_p, (c_uint32,)),
    "rs_gen_model": (c_bool, (c_void_p, c_uint64, c_uint64, c_void_p)),
    "rs_graph_new": (c_void_p, ()),
    "rs_graph_free": (None, (c_void_p,)),
    "rs_graph_json": (c_void_p, (c_void_p,)),
}


def find() -> str:
    """The library's path: $RULESMITH_LIBRARY, the one beside this module (the wheel's), or its name for the system's."""
    given = os.environ.get("RULESMITH_LIBRARY")
    beside = Path(__file__).parent / "lib/librulesmith.so"
    return given or (str(beside) if beside.exists() else f"librulesmith.so.{RS_LIBRARY_ABI}")


@functools.cache
def load() -> ctypes.CDLL:
    """The library, loaded once, with its function types. LibraryFault if it is missing or its ABI is another."""
    path = find()
    try:
        library = ctypes.CDLL(path)
    except OSError as fault:
        raise LibraryFault(f"librulesmith cannot be loaded: {fault}") from None
    try:
        library.rs_library_abi.restype, library.rs_library_abi.argtypes = c_char_p, (c_uint32,)
        why = library.rs_library_abi(RS_LIBRARY_ABI)
        for name, (gives, takes) in _PROTOTYPES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = gives, takes
        if not why and not hasattr(Features, "_fields_"):
            _take_features(library)
        why = why or library.rs_library_check(ctypes.byref(tables(library)))
    except (AttributeError, ValueError) as fault:
        raise LibraryFault(f"{path}: it is no librulesmith that this module knows: {fault}") from None
    if why:
        raise LibraryFault(f"{path}: {why.decode()}")
    return library


def _take_features(library: ctypes.CDLL) -> None:
    """Gives Features its fields, which the library names, and GenOptions, which contains it."""
    names = itertools.takewhile(bool, map(library.rs_feature_name, itertools.count()))
    Features._fields_ = [(name.decode(), c_uint32) for name in names]
    GenOptions._fields_ = _GEN_OPTIONS


def tables(library: ctypes.CDLL) -> Tables:
    """All tables of a library."""
    return Tables.in_dll(library, "rs_rules")


def api_rules(library: ctypes.CDLL) -> int | None:
    """The address of the rules of whole APIs; None: the library has none."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(library, "rs_apis"))
    except ValueError:
        return None


def release(pointer: int) -> None:
    """libc's free(), for memory that the library hands over."""
    free = ctypes.CDLL(None).free
    free.restype, free.argtypes = None, (c_void_p,)
    free(pointer)
