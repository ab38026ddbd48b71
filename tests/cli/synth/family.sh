# Families of several operators: names do not matter, and the same records give the same bytes on any number of
# threads, in any folder and locale, and after a kill at any moment. (determinism.sh: operators each alone.)
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith")

# Pools of two ranks with and without a stride, crops, and views: three families. The stride of pool-0 was 1 or
# refused, so that its family has to tell; pool-4 never passed.
python3 - "$tmp/plain" "$tmp/renamed" <<'END'
import json, os, random, sys

draw = random.Random(5)
lines = []


def value(kind, count):
    """The JSON of an argument, and the ranges of its symbols."""
    def names(n, letter="s"):
        return [f"{letter}{next(count)}" for _ in range(n)]
    if kind[0] == "t":
        return {"tensor": names(int(kind[1])), "dtype": "float32"}
    return names(int(kind[1])) if kind[0] == "l" else names(1)[0] if kind == "i" else {"const": kind}


def operator(name, args, ranges, outs, truth, npass=40, nfail=25):
    """Records of a truth: it returns the output's dimensions, or None for a failure."""
    from itertools import count
    symbols, runs, fails = count(), [], []
    listed = [{"name": n, "pos": False, "value": value(k, symbols)} for n, k in args]
    s = [draw.randint(*r) for r in ranges]
    for _ in range(20000):
        step = draw.randrange(len(s)) if draw.random() < 0.6 else None
        s = [draw.randint(*r) if step in (None, i) else v for i, (r, v) in enumerate(zip(ranges, s))]
        out = truth(s)
        if out is None and len(fails) < nfail:
            fails.append(s)
        elif out is not None and len(runs) < npass:
            runs.append([s, out])
    outputs = [{"tensor": [f"o{i}" for i in range(outs)], "dtype": "float32"}]
    lines.append({"op": name, "api": name.rsplit("-", 1)[0], "args": listed, "outputs": outputs,
                  "pass": runs, "fail": fails})


def pool(rank, stride):
    def truth(s):
        x, k = s[:rank + 1], s[rank + 1]
        by, pad = s[rank + 2:] if stride else (k, s[-1])
        out = [(d + 2 * pad - k) // by + 1 for d in x[1:]] if by > 0 else [0]
        return x[:1] + out if k > 0 and 0 <= pad and 2 * pad <= k and min(out) > 0 else None
    return truth


def crop(rank):
    return lambda s: s[rank:] if all(0 <= b <= a for a, b in zip(s, s[rank:])) else None


def view(rank, to):
    def truth(s):
        n, known = 1, 1
        for d in s[:rank]:
            n *= d
        for d in s[rank:rank + to - 1]:
            known *= d
        return s[rank:rank + to - 1] + [n // known] if known > 0 and n % known == 0 else None
    return truth


for i, (rank, stride) in enumerate([(1, True), (1, False), (2, True), (2, False)]):
    args = [("input", f"t{rank + 1}"), ("kernel_size", "i"), ("stride", "i" if stride else "None"), ("padding", "i")]
    ranges = [(1, 3)] + [(1, 14)] * rank + [(0, 5)] + [(0, rank * rank)] * stride + [(0, 3)]
    operator(f"m.pool-{i}", args, ranges, rank + 1, pool(rank, stride), 70)
operator("m.pool-4", [("input", "t2"), ("kernel_size", "i"), ("stride", "i"), ("padding", "i")],
         [(1, 3), (1, 14), (0, 5), (0, 4), (0, 3)], 2, lambda s: None, 0)
for rank in 1, 2, 3:
    operator(f"m.crop-{rank}", [("x", f"t{rank}"), ("size", f"l{rank}")], [(0, 9)] * rank + [(-1, 9)] * rank, rank,
             crop(rank))
for i, (rank, to) in enumerate([(2, 2), (3, 2), (2, 3)]):
    operator(f"m.view-{i}", [("x", f"t{rank}"), ("shape", f"l{to}")],
             [(1, 6)] * rank + [(0, 4)] * (to - 1) + [(-1, -1)], to, view(rank, to))

# Other names in the same order: of APIs (which are a.…, so that the framework has another name too) and arguments.
order = {n: f"a{i}" for i, n in enumerate(sorted({a["name"] for o in lines for a in o["args"]}))}
for folder, rename in (sys.argv[1], False), (sys.argv[2], True):
    os.mkdir(folder)
    for api in sorted({o["api"] for o in lines}):
        with open(f"{folder}/{api}.jsonl", "w") as f:
            for o in lines:
                if o["api"] != api:
                    continue
                text = json.loads(json.dumps(o))
                for a in text["args"] if rename else []:
                    a["name"] = order[a["name"]]
                for key in ("op", "api") if rename else ():
                    text[key] = text[key].replace("m.", "zz.q_", 1)
                print(json.dumps(text), file=f)
END

run() { "$smith" synth --traces "$tmp/plain" "$@" 2>"$tmp/messages"; }
rules() { # rules FILE PREFIX: a line an operator, without the API's prefix: its outputs and clauses, or why it has none
	sed -n "s/^{\"op\":\"$2\([^\"]*\)\".*\"nsym\":[0-9]*,\(\"out\":.*\"valid\":\[[^]]*\]\|\"why\":\"[^\"]*\"\).*/\1 \2/p" "$1" | LC_ALL=C sort
}

run -j1 -o "$tmp/one.jsonl"
rules "$tmp/one.jsonl" m. >"$tmp/one"
check "every operator is told of" test "$(wc -l <"$tmp/one")" -eq 11
check "all have a rule but the one that never passed" test "$(grep -v '"out"' "$tmp/one")" = 'pool-4 "why":"no passing record"'
of_pools='^pool-0 "out":\["s0","\(s1 \+ 2\*s4 - s2\)//s3 \+ 1"\]
^pool-2 "out":\["s0","\(s1 \+ 2\*s5 - s3\)//s4 \+ 1","\(s2 \+ 2\*s5 - s3\)//s4 \+ 1"\]'
check "what one operator leaves open its family tells" test "$(grep -cE "$of_pools" "$tmp/one")" -eq 2

"$smith" synth --traces "$tmp/renamed" -o "$tmp/renamed.jsonl" 2>/dev/null
rules "$tmp/renamed.jsonl" zz.q_ >"$tmp/other"
check "names do not matter: the same rules" cmp "$tmp/one" "$tmp/other"
check "… and they were other names" sh -c "! grep -qE 'kernel_size|\"m\\.' '$tmp/renamed.jsonl'"

run -j2 -o "$tmp/two.jsonl"
check "-j1 and -j2" cmp "$tmp/one.jsonl" "$tmp/two.jsonl"
LC_ALL=tr_TR.UTF-8 LANG=tr_TR.UTF-8 run -j2 -o "$tmp/locale.jsonl"
check "another locale" cmp "$tmp/one.jsonl" "$tmp/locale.jsonl"
mkdir "$tmp/else where" && cp "$tmp"/plain/*.jsonl "$tmp/else where"
(cd "$tmp/else where" && LC_ALL=C "$smith" synth --traces . -o ../folder.jsonl 2>/dev/null)
check "another folder" cmp "$tmp/one.jsonl" "$tmp/folder.jsonl"
tac "$tmp/plain/m.pool.jsonl" >"$tmp/else where/m.pool.jsonl"
"$smith" synth --traces "$tmp/else where/m.view.jsonl" --traces "$tmp/else where/m.pool.jsonl" \
	--traces "$tmp/else where/m.crop.jsonl" -o "$tmp/order.jsonl" 2>/dev/null
check "files and lines in another order" cmp "$tmp/one.jsonl" "$tmp/order.jsonl"

# Killed as soon as a first family is through both passes (shapes, of all 11, then rules); then at any moment.
solved() { cat "$tmp/cache/solved.jsonl" 2>/dev/null | wc -l; }
"$smith" synth --traces "$tmp/plain" --cache "$tmp/cache" -j1 -o "$tmp/killed.jsonl" 2>/dev/null &
pid=$! tries=0
until [ "$(solved)" -gt 11 ] || [ $tries -ge 1000 ]; do sleep 0.01 && tries=$((tries + 1)); done
kill -KILL $pid 2>/dev/null
wait $pid 2>/dev/null
check "the cache grows while it runs" test "$(solved)" -gt 11
cp -r "$tmp/cache" "$tmp/partly"
run -j2 --cache "$tmp/partly" -o "$tmp/resumed.jsonl"
check "killed and started again" cmp "$tmp/one.jsonl" "$tmp/resumed.jsonl"
check "… with what was solved" grep -qE ' [1-9][0-9]* from the cache' "$tmp/messages"
rm -r "$tmp/cache"
for after in 0.02 0.05 0.1 0.15 0.2; do
	timeout -s KILL $after "$smith" synth --traces "$tmp/plain" --cache "$tmp/cache" -j2 -o "$tmp/killed.jsonl" 2>/dev/null
done
run -j1 --cache "$tmp/cache" -o "$tmp/killed.jsonl"
check "killed again and again" cmp "$tmp/one.jsonl" "$tmp/killed.jsonl"
run -j2 --cache "$tmp/cache" -o "$tmp/killed.jsonl"
check "all from the cache" grep -q ' 11 from the cache' "$tmp/messages"
check "… the same bytes" cmp "$tmp/one.jsonl" "$tmp/killed.jsonl"
