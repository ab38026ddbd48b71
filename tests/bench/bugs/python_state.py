"""Compares the Python features of two scripts, for bugs without key calls.

    script ── its syntax tree, or those of programs in its strings ──► marks

A mark is a feature that compilers treat specially: an attribute such as __code__ that is assigned, a call of torch._dynamo, a
class inside a function, a global or nonlocal name, a generator, a method that changes a container.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

CHANGES = frozenset({"append", "extend", "insert", "pop", "clear", "update", "setdefault", "add", "discard", "remove"})
"""Methods that change a container. They are in most programs, so they are no marks alone."""
COMPILERS = ("torch._dynamo.", "torch.compiler.")
SETUP = frozenset({"reset", "disable_cache"})
"""What scripts call outside of their bug."""
FUNCTION = (ast.FunctionDef, ast.Lambda)


def _dotted(node: ast.AST) -> str:
    """a.b.c of an attribute; "" if it does not begin with a name."""
    if isinstance(node, ast.Attribute):
        before = _dotted(node.value)
        return before and f"{before}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""


def _programs(tree: ast.AST) -> Iterator[ast.AST]:
    """The Python programs in the strings of a script."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\nimport " in node.value:
            try:
                yield ast.parse(node.value)
            except (SyntaxError, ValueError):
                continue


def _of_node(node: ast.AST) -> Iterator[str]:
    if isinstance(node, (ast.Assign, ast.Delete)):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr.startswith("__"):
                yield f"changes {target.attr}"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        name, attribute = _dotted(node.func), node.func.attr
        if name.startswith(COMPILERS) and attribute not in SETUP:
            yield f"calls {attribute}"
        if attribute in CHANGES:
            yield f"changes by {attribute}"
    elif isinstance(node, FUNCTION):
        if any(isinstance(inner, ast.ClassDef) for inner in ast.walk(node)):
            yield "a class in a function"
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield "a global or nonlocal name"
    elif isinstance(node, (ast.Yield, ast.YieldFrom)):
        yield "a generator"


def marks(text: str) -> frozenset[str]:
    """The marks of a script; none if it is no Python."""
    try:
        whole = ast.parse(text)
    except (SyntaxError, ValueError):
        return frozenset()
    trees = [*_programs(whole)] or [whole]  # what is around a program runs it
    return frozenset(mark for tree in trees for node in ast.walk(tree) for mark in _of_node(node))


def is_alike(case: str, finding: str) -> bool:
    """Whether a finding's script has all marks of a case's script, which has more than changes of containers."""
    wanted = marks(case)
    return any(not mark.startswith("changes by ") for mark in wanted) and wanted <= marks(finding)
