"""Control flow of TensorFlow 1 in a dump: Enter, Merge, Switch, Exit become While and If.

This is done on the messages, before anything else looks at them: a loop or a branch that is built
as TensorFlow builds it becomes one operator with sub-graphs; anything else stays as it is.
"""

from __future__ import annotations

from typing import Any

from ge_dialect.importers.ge_links import split_edge
from ge_dialect.importers.ge_message import Msg
from ge_dialect.importers.ge_v1_graph import (
    EXIT,
    FREE,
    MERGE,
    NEXT,
    SWITCH,
    V1,
    Edge,
    Unstructured,
    V1Graph,
    open_graph,
)
from ge_dialect.ir.taken_names import TakenNames


def functionalise(graph: Msg, taken: TakenNames) -> tuple[Msg, dict[str, Msg]]:
    """The graph with what is structured made into While and If, and the new sub-graphs by name.

    taken: names of graphs in use, to which the new ones are added. The graph itself where it has
    no such control flow, and where its edges are broken.
    """
    if not any(op.get("type") in V1 for op in graph.many("op")):
        return graph, {}
    held = open_graph(graph)
    if held is None:
        return graph, {}
    held.names = taken
    changed = again = True
    while again:
        again = _loop(held) or _branch(held)
        changed = changed or again
    ops = [
        _moved(op, list(map(_text, held.edges[n]))) if n in held.moved else op
        for n, op in held.ops.items()
    ]
    out = Msg("GraphDef", graph.pos, {**graph.f, "op": ops})
    out.at = {"op": [held.pos[n] for n in held.ops]}
    return (out, held.made) if held.made else (graph, {})


def _text(edge: Edge | None) -> str:
    return "" if edge is None else f"{edge[0]}:{edge[1]}"


def _i(value: int) -> Msg:
    return Msg("AttrDef", -1, {"i": value})


def _desc(g: V1Graph, edge: Edge) -> Msg:
    descs = g.ops[edge[0]].many("output_desc")
    if edge[1] >= len(descs):
        raise Unstructured
    return descs[edge[1]]


def _with_parent(desc: Msg, index: int) -> Msg:
    attrs = {**desc.attrs, "_parent_node_index": _i(index)}
    return Msg("TensorDescriptor", desc.pos, {**desc.f, "attr": attrs})


def _region(g: V1Graph, ends: list[Edge], stops: set[Edge], frame: set[str]) -> set[str]:
    """Operators between the stops and the ends; Unstructured where anything else is reached."""
    found: set[str] = set()
    left = [e for e in ends if e not in stops]
    while left:
        name, output = left.pop()
        if name in found:
            continue
        if name in frame:
            if output < 0:
                continue  # entering the frame is what the node itself does
            raise Unstructured
        type_ = g.type(name)
        if type_ in V1:
            raise Unstructured
        edges = [e for e in g.edges_of(name) if e is not None]
        if not edges and type_ not in FREE:
            raise Unstructured  # a value from outside that no Enter or Switch brings in
        found.add(name)
        left += [e for e in edges if e not in stops]
    return found


def _check_users(g: V1Graph, inside: set[str], allowed: set[str]) -> None:
    for name in inside:
        if g.type(name) not in FREE and not g.all_users(name) <= allowed:
            raise Unstructured


def _body(
    g: V1Graph,
    name: str,
    inside: set[str],
    feeds: list[tuple[str, Edge, Msg, int]],
    results: list[Edge],
    parents: bool,
) -> Msg:
    """A sub-graph: feeds are (name, edge they stand for, descriptor, input of the owner)."""
    renamed = {edge: (feed, 0) for feed, edge, _, _ in feeds}
    ops: list[Msg] = []
    at: list[int] = []
    for i, (feed, edge, desc, parent) in enumerate(feeds):
        attrs = {"index": _i(i), "_parent_node_index": _i(parent)}
        f = {"name": feed, "type": "Data", "attr": attrs, "input_desc": [desc]}
        ops.append(Msg("OpDef", g.pos[edge[0]], {**f, "output_desc": [desc]}))
        at.append(g.pos[edge[0]])
    for held in g.sort(inside):
        edges = [
            renamed.get(e, e) if e is not None else None
            for e in g.edges_of(held)
            if e is None or e[1] >= 0 or e[0] in inside
        ]
        ops.append(_moved(g.ops[held], [_text(e) for e in edges]))
        at.append(g.pos[held])
    descs = [_desc(g, e) for e in results]
    if parents:
        descs = [_with_parent(d, i) for i, d in enumerate(descs)]
    end = {
        "name": "NetOutput",
        "type": "NetOutput",
        "input": [_text(renamed.get(e, e)) for e in results],
        "input_desc": descs,
    }
    pos = at[0] if at else g.msg.pos
    ops.append(Msg("OpDef", pos, end))
    at.append(pos)
    out = Msg("GraphDef", pos, {"name": name, "op": ops})
    out.at = {"op": at}
    return out


def _moved(op: Msg, inputs: list[str]) -> Msg:
    f = {k: v for k, v in op.f.items() if k != "input"}
    if inputs:
        f["input"] = inputs
    out = Msg("OpDef", op.pos, f)
    out.at = op.at
    return out


def _replace(
    g: V1Graph, gone: set[str], op: Msg, pos: int, edges: dict[Edge, Edge], waits: set[str]
) -> None:
    """Put an operator in the place of others; edges: what their outputs are now.

    Nothing is changed, and Unstructured raised, where another operator reads what goes.

    waits: those of the others whose end is now the end of the new operator.
    """
    name = op.get("name", "")
    gone = {n for n in gone if g.type(n) not in FREE or g.all_users(n) <= gone}
    readers = g.sort({u for n in gone for u in g.all_users(n)} - gone)
    new_edges: dict[str, list[Edge | None]] = {}
    for held in readers:
        new = new_edges[held] = []
        for e in g.edges_of(held):
            if e is None or e[0] not in gone:
                new.append(e)
            elif e in edges:
                new.append(edges[e])
            elif e[1] >= 0 or e[0] not in waits:
                raise Unstructured  # it reads a part of what goes
            elif (name, -1) not in new:
                new.append((name, -1))
    own = [split_edge(t) if t else None for t in op.many("input")]
    if any(e is not None and e[0] in gone for e in own):
        raise Unstructured
    g.changed((*gone, *readers, *(e[0] for n in gone for e in g.edges[n] if e is not None)))
    g.changed(e[0] for e in own if e is not None)
    for held in gone:
        g.drop(held)
    g.add(name, op, own, pos)
    g.link(name, own)
    for held, new in new_edges.items():
        g.edges[held] = new
        g.moved.add(held)
        g.link(held, [e for e in new if e is not None and e[0] == name])


# ------------------------------------------------------------------------------------- loops


def _loop(g: V1Graph) -> bool:
    """Make one loop a While; False where none is left that can be."""
    return any(
        g.ask(("loop", frame), _one_loop, frame, list(enters)) for frame, enters in g.frames.items()
    )


def _only(items: list[str]) -> str:
    (item,) = set(items)
    return item


def _one_loop(g: V1Graph, frame: str, enters: list[str]) -> bool:
    merges: dict[str, str] = {}  # merge -> its Enter
    nexts: dict[str, str] = {}
    for enter in enters:
        for user in g.users_of(enter, 0):
            if g.type(user) in MERGE:
                merges[user] = enter
    if not merges:
        raise Unstructured
    for merge, enter in merges.items():
        sources = g.data(merge)
        (other,) = [e for e in sources if e[0] != enter]
        if len(sources) != 2 or g.type(other[0]) not in NEXT:
            raise Unstructured
        nexts[merge] = other[0]
    switches = {m: _only([u for u in g.users_of(m, 0) if g.type(u) in SWITCH]) for m in merges}
    conds = {g.data(s)[1] for s in switches.values()}
    if any(g.data(s)[0] != (m, 0) for m, s in switches.items()) or len(conds) != 1:
        raise Unstructured
    ((cond, _),) = conds
    if g.type(cond) != "LoopCond":
        raise Unstructured
    invariant = [e for e in enters if e not in merges.values()]
    exits = {u: m for m, s in switches.items() for u in g.users_of(s, 0) if g.type(u) in EXIT}
    frame_names = {*merges, *nexts.values(), *switches.values(), *exits, *enters, cond}
    constants = {(e, 0) for e in invariant}
    (test,) = g.data(cond)
    tested = _region(g, [test], {(m, 0) for m in merges} | constants, frame_names)
    ends = [g.data(nexts[m])[0] for m in merges]
    turned = _region(g, ends, {(s, 1) for s in switches.values()} | constants, frame_names)
    allowed = tested | turned | frame_names
    _check_users(g, tested | turned | (frame_names - set(exits)), allowed)

    def uses_any(name: str, outputs: set[int]) -> bool:
        return any(g.users_of(name, o) for o in outputs)

    if any(uses_any(m, {1}) for m in merges):
        raise Unstructured  # which turn it is, is asked for
    _make_while(g, frame, merges, switches, exits, invariant, tested, turned, test, ends)
    return True


def _make_while(
    g: V1Graph,
    frame: str,
    merges: dict[str, str],
    switches: dict[str, str],
    exits: dict[str, str],
    invariant: list[str],
    tested: set[str],
    turned: set[str],
    test: Edge,
    ends: list[Edge],
) -> None:
    order = list(merges)
    cond_feeds = [(m, (m, 0), _desc(g, (m, 0)), i) for i, m in enumerate(order)]
    body_feeds = [
        (switches[m], (switches[m], 1), _desc(g, (switches[m], 1)), i) for i, m in enumerate(order)
    ]
    rest = [(e, (e, 0), _desc(g, (e, 0)), len(order) + i) for i, e in enumerate(invariant)]
    name = g.op_names.free(frame or "While")
    cond_name = g.names.free(f"{name}/cond")
    body_name = g.names.free(f"{name}/body")
    cond_graph = _body(g, cond_name, tested, [*cond_feeds, *rest], [test], False)
    results = [*ends, *((e, 0) for e in invariant)]
    body_graph = _body(g, body_name, turned, [*body_feeds, *rest], results, True)
    enters = [*(merges[m] for m in order), *invariant]
    inputs = [g.data(e)[0] for e in enters]
    descs = [_desc(g, (e, 0)) for e in enters]
    waits = dict.fromkeys(w for e in enters for w in g.waits(e))
    f: dict[str, Any] = {
        "name": name,
        "type": "While",
        "input": [*map(_text, inputs), *(f"{w}:-1" for w in waits)],
        "input_desc": descs,
        "output_desc": descs,
        "subgraph_name": [cond_name, body_name],
    }
    parallel = g.ops[enters[0]].attrs.get("parallel_iterations")
    if parallel is not None:
        f["attr"] = {"parallel_iterations": parallel}
    pos = g.pos[enters[0]]
    gone = {*merges, *switches.values(), *exits, *enters, *tested, *turned}
    gone |= {e[0] for m in merges for e in g.edges_of(m) if e is not None and g.type(e[0]) in NEXT}
    gone |= {g.data(s)[1][0] for s in switches.values()}
    place = {m: i for i, m in enumerate(order)}
    edges = {(x, 0): (name, place[m]) for x, m in exits.items()}
    _replace(g, gone, Msg("OpDef", pos, f), pos, edges, set(exits))
    g.names.update((cond_name, body_name))
    g.made[cond_name], g.made[body_name] = cond_graph, body_graph


# ---------------------------------------------------------------------------------- branches


def _branch(g: V1Graph) -> bool:
    """Make the branches on one predicate an If; False where none is left that can be."""
    groups: dict[Edge, list[str]] = {}
    for name in g.merges:
        predicate = g.ask(name, _predicate, name)
        if predicate is not None:
            groups.setdefault(predicate, []).append(name)
    return any(
        g.ask(("branch", predicate, *merges), _make_if, predicate, merges)
        for predicate, merges in groups.items()
    )


def _predicate(g: V1Graph, merge: str) -> Edge:
    """The predicate of the switches behind a Merge; Unstructured where it is not one."""
    sources = g.data(merge)
    if len(sources) != 2 or g.users_of(merge, 1):
        raise Unstructured
    switches, _ = _behind(g, sources)
    predicates = {g.data(s)[1] for s, _ in switches}
    (predicate,) = predicates
    return predicate


def _behind(g: V1Graph, ends: list[Edge]) -> tuple[set[Edge], set[str]]:
    """Outputs of switches that some values come from, and the operators between."""
    switches: set[Edge] = set()
    inside: set[str] = set()
    left = list(ends)
    while left:
        name, output = left.pop()
        if g.type(name) in SWITCH:
            if output < 0:
                raise Unstructured
            switches.add((name, output))
            continue
        if name in inside:
            continue
        if g.type(name) in V1:
            raise Unstructured
        edges = [e for e in g.edges_of(name) if e is not None]
        if not edges and g.type(name) not in FREE:
            raise Unstructured
        inside.add(name)
        left += edges
    return switches, inside


def _make_if(g: V1Graph, predicate: Edge, merges: list[str]) -> bool:
    sides: list[set[str]] = [set(), set()]  # operators of the false and of the true branch
    ends: list[list[Edge]] = [[], []]
    switches: dict[str, None] = {}
    for merge in merges:
        placed: dict[int, Edge] = {}
        unplaced: list[tuple[Edge, set[str]]] = []
        for end in g.data(merge):
            found, inside = _behind(g, [end])
            outputs = {o for _, o in found}
            switches.update(dict.fromkeys(sorted(s for s, _ in found)))
            if not outputs:
                unplaced.append((end, inside))
                continue
            (side,) = outputs
            if side in placed or side > 1:
                raise Unstructured
            placed[side] = end
            sides[side] |= inside
        for end, inside in unplaced:  # a constant that no switch leads to
            (side,) = {0, 1} - set(placed)
            placed[side] = end
            sides[side] |= inside
        for side in (0, 1):
            ends[side].append(placed[side])
    if any(g.type(n) not in FREE for n in sides[0] & sides[1]):
        raise Unstructured
    allowed = sides[0] | sides[1] | set(merges)
    used = [s for s in switches if g.type(s) in SWITCH]
    for name in (*sides[0], *sides[1], *used):
        if g.type(name) not in FREE and not g.all_users(name) <= allowed:
            raise Unstructured
    name = g.op_names.free(f"{merges[0]}/If")
    graphs: list[str] = []
    made: list[Msg] = []
    for side, label in ((1, "then"), (0, "else")):
        feeds = [(s, (s, side), _desc(g, (s, side)), i + 1) for i, s in enumerate(used)]
        graph_name = g.names.free(f"{name}/{label}")
        graphs.append(graph_name)
        made.append(_body(g, graph_name, sides[side], feeds, ends[side], True))
    inputs = [g.data(s)[0] for s in used]
    waits = dict.fromkeys(w for s in used for w in g.waits(s))
    f: dict[str, Any] = {
        "name": name,
        "type": "If",
        "input": [*map(_text, [predicate, *inputs]), *(f"{w}:-1" for w in waits)],
        "input_desc": [_desc(g, e) for e in (predicate, *inputs)],
        "output_desc": [_desc(g, (m, 0)) for m in merges],
        "subgraph_name": graphs,
    }
    pos = g.pos[merges[0]]
    gone = {*merges, *used, *sides[0], *sides[1]}
    edges = {(m, 0): (name, i) for i, m in enumerate(merges)}
    _replace(g, gone, Msg("OpDef", pos, f), pos, edges, set(merges))
    g.names.update(graphs)
    g.made.update(zip(graphs, made, strict=True))
    return True
