# rulefuzz gen on the table that is linked in.
. tests/cli/tap.sh
gen="$BUILD/rulefuzz gen"
same() { # same COMMAND1 COMMAND2: equal output
	sh -c "$1" >"$tmp/a" && sh -c "$2" >"$tmp/b" && cmp "$tmp/a" "$tmp/b"
}
check "one JSON model on standard output" sh -c "$gen | grep -c '^{\"model\":1,.*}$' | grep -qx 1"
check "a line a model" sh -c "[ \$($gen --count 50 --seed 3 | wc -l) -eq 50 ]"
check "the same seed, the same bytes" same "$gen --count 200 --seed 3" "$gen --count 200 --seed 3 -o -"
check "another seed, other bytes" sh -c "! { $gen --seed 1 >$tmp/a; $gen --seed 2 | sed 's/\"seed\":2/\"seed\":1/' | cmp -s - $tmp/a; }"
check "a part of a run repeats it" same "$gen --count 20 --seed 3 | tail -n 5" "$gen --count 5 --first 15 --seed 3"
check "any locale and folder" same "$gen --count 20" "LC_ALL=C.UTF-8 TZ=UTC-9 $gen --count 20"
check "five nodes by default" sh -c "[ \$($gen | grep -o '\"op\":' | wc -l) -eq 5 ]"
check "as many nodes as told" sh -c "[ \$($gen --nodes 100 | grep -o '\"op\":' | wc -l) -eq 100 ]"
check "a range of nodes" sh -c "$gen --nodes 1..3 --count 30 >/dev/null"
check "10,000 nodes" sh -c "[ \$($gen --nodes 10000 | grep -o '\"op\":' | wc -l) -eq 10000 ]"
check "files" sh -c "$gen --count 3 --seed 9 -o $tmp/dir/sub && ls $tmp/dir/sub | tr '\n' ' ' | grep -qx 'torch-9-0.json torch-9-1.json torch-9-2.json '"
check "a file is the line" sh -c "$gen --seed 9 --first 1 | cmp - $tmp/dir/sub/torch-9-1.json"
check "Python scripts" sh -c "$gen --format py --count 2 -o $tmp/py && [ -s $tmp/py/torch-0-1.py ]"
check "Python compiles" sh -c "command -v python3 >/dev/null || exit 0; python3 -m py_compile $tmp/py/torch-0-0.py $tmp/py/torch-0-1.py"
check "only counted: a table" sh -c "$gen --format none --count 1000 | grep -Eq '^digest +[0-9a-f]{16}$'"
check "only counted: JSON" sh -c "$gen --format none --count 10 --chains 0 --json | grep -Eq '^\{\"schema\":1,.*\"models\":10,\"nodes\":50,.*\"digest\":\"[0-9a-f]{16}\"\}$'"
cat >"$tmp/figures.py" <<'P'
"""Whether the table of a run of models says what the JSON of the same run does: each figure in its place."""
import json, re, sys
j, table = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
def share(part, whole):
    return f"{100 * part / whole if whole else 0:.1f} %"
n = j["nodes"]
wanted = [
    f"signatures  {j['operators']} of {j['apis']} APIs, {j['by_rule']} sampled by rule",
    f"excluded    {j['unsafe']} not writable, {j['without_dtypes']} without dtypes, {j['without_records']} without a record of fitting size, "
    f"{j['random_or_unfit']} random or without usable values, {j['superseded']} superseded",
    f"models      {j['models']}", f"nodes       {n}",
    *(f"{k:12}{share(j[k], n)}" for k in ("forward", "backward", "fresh")), f"by rule     {share(j['symbolic'], n)}", f"digest      {j['digest']}",
]
if "--dynamic-shapes" in sys.argv:
    wanted.append(f"dynamic     {share(j['dynamic'], j['dynamic_tried'])} of {j['dynamic_tried']} models tried")
    assert j["dynamic_tried"], j
if "coverage" in j:
    figure = r"(\d+\.\d)"
    line = re.search(rf"^coverage    {figure} %: OTC {figure}, IDC {figure}, ODC {figure}, SEC {figure}, SPC {figure}$", table, re.M)
    assert line, table
    for shown, k in zip(line.groups(), ["olc", "otc", "idc", "odc", "sec", "spc"]):
        assert abs(float(shown) - 100 * j["coverage"][k]) < 0.056, (k, line[0], j)  # to a digit, of what is to four
    wanted.append(line[0])
lines = table.splitlines()
missing = [w for w in wanted if w not in lines]
assert not missing, (missing, table)
assert j["forward"] + j["backward"] + j["fresh"] == n and j["symbolic"] + j["concrete"] == n, j
assert len({j["forward"], j["backward"], j["fresh"], n}) == 4, j  # else one could stand for another
rest = [line for line in lines if line not in wanted and not re.match(r"seconds +\d+\.\d{3} \(\d+\.\d{3} of one core\)$|models/s +\d+$", line)]
assert not rest, rest
P
figures() { # figures WORD…: of gen
	$gen --format none --json "$@" >"$tmp/json" && $gen --format none "$@" >"$tmp/table" && python3 "$tmp/figures.py" "$tmp/json" "$tmp/table" "$@"
}
check "the table says what the JSON does" figures --count 300 --seed 4
check "… of graphs, which count what they cover" figures --strategy graph --count 40 --framework onnx
check "… of models with dynamic shapes" figures --count 100 --dynamic-shapes 0.5
digest() { $gen --format none --json "$@" | sed 's/.*"digest":"//; s/".*//'; }
check "the same digest twice" test "$(digest --count 1000)" = "$(digest --count 1000)"
check "another digest of another seed" test "$(digest --count 10)" != "$(digest --count 10 --seed 1)"
api=$($gen | sed 's/.*"api":"\([^"]*\)".*/\1/')
check "only some APIs" sh -c "$gen --api '$api' --count 20 | grep -o '\"api\":\"[^\"]*\"' | sort -u | wc -l | grep -qx 1"
check "small tensors" sh -c "$gen --max-numel 64 --count 100 >/dev/null"
check "invalid models: none by default" sh -c "! $gen --count 200 | grep -q near_miss"
check "invalid models: some, marked" sh -c "[ \$($gen --count 200 --invalid 1 | grep -c '\"near_miss\":true') -gt 30 ]"
check "invalid models: all other models stay" sh -c "$gen --count 200 | sort >$tmp/a; $gen --count 200 --invalid 0.3 | grep -v near_miss | sort | comm -23 - $tmp/a | wc -l | grep -qx 0"
check "invalid models: the same models by another share" sh -c "$gen --count 200 --invalid 0.3 | grep near_miss | sort >$tmp/a; $gen --count 200 --invalid 1 | sort | comm -13 - $tmp/a | wc -l | grep -qx 0"
refused() { expect "$1" 2 "^rulefuzz gen: error: $2" $gen $3; [ "$(wc -l <"$tmp/err")" -eq 1 ] || not_ok "… in one line"; }
refused "an unknown option" "unknown option '--cuont'; did you mean --count[?]$" "--cuont 3"
refused "… that is like none" "unknown option '--xyzzy'; try 'rulefuzz gen --help'$" "--xyzzy"
refused "… of one letter" "unknown option '-x'; try" -x
refused "an option without its argument" "option '--seed' needs an argument; try" --seed
refused "an argument too many" "option '--json' takes no argument, got 'yes'; try" --json=yes
refused "an abbreviation of several" "option '--m' is ambiguous: --modules, --mutation, --model, --mutations, --max-numel; try" "--m 3"
check "an abbreviation of one" sh -c "$gen --cou=3 | wc -l | grep -qx 3"
for names in near-misses:invalid symbolic:dynamic-shapes assignments:shape-instances; do
	refused "the old name of --${names#*:}" "--${names%:*} was renamed to --${names#*:}$" "--${names%:*} 1"
done
refused "a set of another framework" "--ops: isra65 is a set of onnx operators; add --framework onnx; try" "--ops isra65"
refused "a misspelt set" "--ops: no operator set and no file 'isra56'; did you mean isra65[?]$" "--ops isra56"
refused "a misspelt framework" "--framework: no rules of 'tensorflw'; did you mean tensorflow[?]$" "--framework tensorflw"
refused "an API without its module" "--api: no API of torch matches 'conv2d'; did you mean torch.conv2d or torch.nn.functional.conv2d[?]$" "--api conv2d"
refused "a glob that matches nothing" "--api: no API of torch matches 'onnx.\*'; try" "--api onnx.*"
echo torch.mn >"$tmp/ops"
expect "a misspelt API in a file" 1 "^$tmp/ops:1: error: unknown API 'torch.mn' of torch; did you mean torch.m[a-z]+[?]$" $gen --ops "$tmp/ops"
refused "an empty range" "--nodes: expected N or A..B with A <= B, whole numbers from 1 to 1000000, got '5..2'; try" "--nodes 5..2"
refused "a negative number" "--count: expected a whole number >= 0, got '-1'; try" "--count -1"
refused "a fraction above 1" "--invalid: expected a fraction from 0 to 1, got '2'; try" "--invalid 2"
refused "features of another framework" "--layouts, --gradients, --modules, --mutation, --sessions, --regions and --weights need .*; onnx has none; try" "--framework onnx --layouts 1"
refused "… or the other way round" "--functions, --subgraphs, --quantized and --shape-arithmetic need .*; torch has none; try" "--functions 1"
refused "chains on graphs" "--chains needs --strategy neuri or isra; try" "--strategy graph --chains 0.5"
refused "dynamic shapes of single calls" "--dynamic-shapes does not work with --strategy calls" "--strategy calls --dynamic-shapes 1"
refused "a summary of models that are written" "--json is the summary of --format none" "--json"
refused "files of another framework" "--format onnx writes models of onnx; add --framework onnx; try" "--format onnx"
refused "many files in one" "--format onnx: 2 models do not fit into one file; add -o DIR; try" "--framework onnx --format onnx --count 2"
refused "an unknown format" "--format: expected json, py, none or a framework whose models are files, got 'pickle'; try" "--format pickle"
if has_terminals; then
	on_terminal 80 $gen --framework onnx --format onnx >"$tmp/a"
	code=$?
	check "binary models do not go to a terminal" sh -c "[ $code -eq 2 ] && grep -q 'standard output is a terminal; add -o DIR' '$tmp/a'"
else
	ok "binary models do not go to a terminal # SKIP no pseudo-terminals here"
fi
check "help" sh -c "$gen --help | grep -q -- --max-numel"
isra="$gen --strategy isra --framework onnx"
check "isra: the same seed, the same bytes" same "$isra --count 50 --nodes 1..60" "$isra --count 50 --nodes 1..60"
check "isra: as many nodes as told" sh -c "[ \$($isra --nodes 150 --chains 0 | grep -o '\"op\":' | wc -l) -eq 150 ]"
check "isra65: its 65 operators and no other" sh -c "$isra --ops isra65 --nodes 200 --count 30 | grep -o '\"api\":\"[^\"]*\"' | sort -u | wc -l | grep -qx 65"
check "no operator of an earlier version" sh -c "! $gen --framework onnx --count 500 | grep -q '\"api\":\"onnx\.[A-Za-z]*_[0-9]*\"'"
check "dimensions within the box" sh -c "! $isra --api onnx.Relu --count 200 | grep -Eq '\"shape\":\[([0-9],)*([6-9]|[0-9]{2,})'"
check "a larger box" sh -c "$isra --api onnx.Relu --dim-max 9 --count 200 | grep -Eq '\"shape\":\[([0-9],)*[6-9]'"
check "ranks" sh -c "! $isra --api onnx.Relu --rank-max 2 --count 200 | grep -Eq '\"shape\":\[[0-9]+,[0-9]+,'"
check "the higher the picking rate, the fewer inputs" sh -c "[ \$($isra --nodes 100 --chains 0 --picking 0.5 --count 5 | wc -c) -gt \$($isra --nodes 100 --chains 0 --picking 1 --count 5 | wc -c) ]"
printf '# two\nonnx.Relu\n\n onnx.Abs # last\n' >"$tmp/two"
check "operators by a file" sh -c "$isra --ops $tmp/two --count 50 | grep -o '\"api\":\"[^\"]*\"' | sort -u | tr -d '\n' | grep -qx '\"api\":\"onnx.Abs\"\"api\":\"onnx.Relu\"'"
printf 'onnx.Relu\nonnx.Nothing\n' >"$tmp/unknown"
expect "a file with an unknown operator" 1 "unknown:2: error: unknown API 'onnx.Nothing' of onnx" $isra --ops "$tmp/unknown"
printf '# none\n' >"$tmp/nobody"
expect "a file without an operator" 1 'the file names no API; expected one per line' $isra --ops "$tmp/nobody"
expect "no such set or file" 2 "no operator set and no file 'nothing'; try" $isra --ops nothing
expect "a picking rate above 1" 2 'fraction from 0.001 to 1' $isra --picking 1.01
expect "a picking rate of words" 2 'fraction from 0.001 to 1' $isra --picking high
expect "a picking rate without isra" 2 'needs --strategy isra' $gen --picking 0.5
expect "no rank" 2 'whole number' $gen --rank-max 0
expect "no dimension" 2 'whole number' $gen --dim-max 0
check "graph" sh -c "[ \$($gen --framework tensorflow --strategy graph --ops graph50 --model ws --chooser random --mutations off --nodes 10 --count 5 | grep -c '^{\"model\":1,') -eq 5 ]"
graph="$gen --framework tensorflow --strategy graph --ops graph50"
check "graph: the same seed, the same bytes" same "$graph --count 30 --nodes 1..20" "$graph --count 30 --nodes 1..20"
check "graph: a part of a run repeats it" same "$graph --count 40 --seed 3 | tail -n 5" "$graph --count 5 --first 35 --seed 3"
check "graph: at least an operator a block" sh -c "[ \$($graph --nodes 100 | grep -o '\"op\":' | wc -l) -ge 100 ]"
check "graph50: its 50 operators and no other" sh -c "$graph --nodes 15 --count 100 | grep -o '\"api\":\"[^\"]*\"' | sort -u | wc -l | grep -qx 50"
check "graph: the coverage in the table" sh -c "$graph --count 20 --format none | grep -Eq '^coverage +[0-9.]+ %: OTC '"
check "graph: the coverage in JSON" sh -c "$graph --count 20 --format none --json | grep -Eq '\"coverage\":\{\"otc\":[01]\.[0-9]{4},.*\"olc\":0\.[0-9]{4}\}'"
check "no coverage of another strategy" sh -c "! $gen --count 20 --format none | grep -q ^coverage"
check "graph: torch and onnx" sh -c "$gen --strategy graph --ops graph50 --count 3 && $gen --strategy graph --framework onnx --ops graph50 --count 3"
expect "no such chooser" 2 "--chooser: expected mcts or random, got 'best'" $gen --strategy graph --chooser best
expect "no such topology" 2 "--model: expected both, ws or rn, got 'x'" $gen --strategy graph --model x
expect "no such switch" 2 "--mutations: expected on or off, got '1'" $gen --strategy graph --mutations 1
expect "a chooser of another strategy" 2 'need --strategy graph' $gen --chooser mcts
expect "no such strategy" 2 'neuri, isra, graph or calls' $gen --strategy x
expect "no such format" 2 'json, py, none or a framework whose models are files' $gen --format x
expect "no nodes" 2 'whole number' $gen --nodes 0
expect "a bad number" 2 'whole number' $gen --count many
expect "an extra word" 2 'unexpected argument' $gen x
expect "an unknown option" 2 'try' $gen --nothing
expect "no such framework" 2 "no rules of 'nothing'; try" $gen --framework nothing
expect "no API left" 1 'no API of torch that matches torch.rand can be generated .0 not writable.* [1-9] random or ' $gen --api 'torch.rand'
expect "no such library" 1 'cannot' $gen --rules "$tmp/none.so"
: >"$tmp/file"
expect "a folder that is a file" 1 'error' $gen -o "$tmp/file"
expect "a full disk" 1 'cannot write' sh -c "$gen --count 1000 >/dev/full"

# An input of equal rows is a singular matrix: none for calls that fail on such elements.
expanded() { # expanded API: how many of 300 models have an input with a stride of 0 along a dimension above 1
	"$BUILD/rulefuzz" gen --api "$1" --layouts 1 --count 300 --nodes 1 --seed 3 | python3 -c '
import json, sys
models = map(json.loads, sys.stdin)
inputs = ((t["shape"], t.get("strides", t["shape"])) for m in models for t in m["inputs"])
print(sum(any(d > 1 and s == 0 for d, s in zip(*both)) for both in inputs))'
}
check "inputs are expanded" test "$(expanded torch.abs)" -gt 10
check "… not those of delicate calls" test "$(expanded torch.linalg.inv)" -eq 0
echo "1..$n"
