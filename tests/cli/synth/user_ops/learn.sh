# rulesmith learn, from a call to a library and models: with a fake Python, and live with a C++ operator built
# by the test and two operators of an ONNX domain.
. tests/cli/tap.sh
smith=$(realpath "$BUILD/rulesmith") fuzz=$(realpath "$BUILD/rulefuzz") data=$(realpath tests/data)
first=$(sed -n 's/^FRAMEWORK(\([a-z]*\),.*/\1/p' runtime/rules/frameworks.def | head -1)
export CC="${CC:-cc}" RULEFUZZ_OWN=

# The program that rulesmith starts as Python: it collects the records of tests/data/oracle, and answers as the
# oracle there.
cat >"$tmp/python" <<END
#!/bin/sh
[ "\$2" = traces.collect.user_ops.visit ] && shift 2
echo "\$2 \$4" >>"$tmp/calls"
case \$2 in
traces.collect.user_ops)
	[ -e "$tmp/refuses" ] && { echo "collect: error: nothing to learn" >&2; exit 1; }
	api=\$(echo "\$4" | tr : .)
	sed "s/{\"op\"/{\"framework\":\"\$3\",\"op\"/" "$data/oracle/records/\$api.jsonl" >"\$6/\$api.jsonl" ;;
traces.collect.cli.values) printf 'op\taccepts\tgives\n' >"\$5/VALUES.tsv" ;;
traces.collect.cli.ask)
	[ -e "$tmp/silent-oracle" ] && exit 1
	[ -e "$tmp/silent" ] && rm "$tmp/silent" && exec sed -u 's/}\$/,"outcome":"lost"}/'
	exec sh "$data/oracle/fake.sh" "\$5" ;;
esac
END
chmod +x "$tmp/python"
learn() { "$smith" learn "$@" --python "$tmp/python" --count 300; }

long=$tmp
while [ ${#long} -lt 4000 ]; do long=$long/$(printf %050d 0); done
expect "a folder too long for file names" 1 'a path below ' learn t:narrow --out "$long/$(printf "%0$((4084 - ${#long}))d" 0)"

expect "an operator is learned" 0 'learn: verify' learn t:narrow --out "$tmp/own"
cp "$tmp/out" "$tmp/first"
check "its page is printed" grep -q 'narrow(' "$tmp/first"
check "… and its precision and recall" grep -qE '^t.narrow: 1 signature with a rule; 300 fresh calls, precision 100.00 % of [0-9]+, recall 100.00 % of [0-9]+' "$tmp/first"
check "the rule is the true one" grep -qF '"valid":["s1 >= 0","s1 + s2 <= s0"]' "$tmp/own/rules.jsonl"
steps=$(grep -c traces.collect.user_ops "$tmp/calls")
residents() { grep -c traces.collect.user_ops.resident "$tmp/calls"; }
check "a process stays resident" test "$(residents)" -eq 1
expect "a second run has nothing to do" 0 'learn: verify +already done' learn t:narrow --out "$tmp/own"
for f in first out; do sed 's/; [0-9.]* s$//' "$tmp/$f" >"$tmp/$f.said"; done
check "… prints the same" cmp "$tmp/first.said" "$tmp/out.said"
check "… needs no resident process" test "$(residents)" -eq 1
check "… and does not collect" test "$(grep -c traces.collect.user_ops "$tmp/calls")" -eq "$steps"
rm "$tmp/own/steps"/t.narrow-*-compile.step
expect "an interrupted run resumes" 0 'learn: collect +already done' learn t:narrow --out "$tmp/own"
expect "another function joins the folder" 0 'learn: verify' learn t:pool --out "$tmp/own"
for call in '{"op":"t.narrow-0","in":[5,1,2]}' '{"op":"t.pool-0","in":[5,2,1,0]}'; do echo "$call"; done |
	"$fuzz" eval --rules "$tmp/own/own.so" >"$tmp/answers" 2>"$tmp/err"
check "… in one library" test "$(grep -c '"valid":true' "$tmp/answers")" -eq 2
expect "--fresh starts over" 0 'learn: collect +[0-9]' learn t:narrow --out "$tmp/own" --fresh

# If queries find nothing but fresh calls do, fresh calls continue until they find nothing; then queries resume.
touch "$tmp/silent"
expect "errors that queries miss" 0 'learn: verify' learn t:narrow --out "$tmp/wrong"
check "… are found by fresh calls" grep -qE '"kept":[1-9]' "$tmp/wrong/steps/t.narrow-06-verify.step"
check "… and learned at once" test -e "$tmp/wrong/steps/t.narrow-07-synth.step"
check "… and queried again at the end" test "$(ls "$tmp/wrong/steps" | grep -c refine)" -ge 2
check "the rule is the true one again" grep -qF '"valid":["s1 >= 0","s0 >= s1 + s2"]' "$tmp/wrong/rules.jsonl"

# In addition to the built-in rules, and only if the library is named.
gen() { "$fuzz" gen --framework "$first" --format json -o - "$@"; }
gen --rules "$tmp/own/own.so" --count 1 --strategy calls --api 't.*' >"$tmp/model" 2>"$tmp/err"
check "models call it" grep -q '"api":"t\.' "$tmp/model"
gen --rules "$tmp/own/own.so" --count 40 --seed 1 >"$tmp/models" 2>/dev/null
check "… and others" sh -c "! grep -v '\"api\":\"$first\.' '$tmp/models' >&2"
expect "without the library it is unknown" 2 'no API of .* matches' gen --count 1 --api 't.*'
check "a script imports its module" sh -c "'$fuzz' gen --framework $first --rules '$tmp/own/own.so' --count 1 --strategy calls --api t.narrow --format py -o - | grep -qx 'import t'"
check "verify queries the records in the folder" env RULEFUZZ_PYTHON="$tmp/python" "$fuzz" verify --rules "$tmp/own/own.so" --count 200 --require 99,98

# No ONNX model file is written, since it would not define a user's operator.
expect "an ONNX operator is learned" 0 'learn: verify' learn t:narrow --framework onnx --out "$tmp/custom"
mkdir "$tmp/files"
expect "no ONNX file can contain it" 1 "^t.narrow-0: error: t.narrow is not in ONNX's domain, and a file cannot define it" \
	"$fuzz" gen --framework onnx --rules "$tmp/custom/own.so" --api 't.*' --strategy calls --count 1 --format onnx -o "$tmp/files"
check "… and none is written" test -z "$(ls "$tmp/files")"

check "--help describes ONNX operators" sh -c "'$smith' learn --help | grep -q 'OpRun'"
expect "an invalid function name" 2 'expected PACKAGE.MODULE:FUNCTION' learn narrow --out "$tmp/own"
expect "a name unsafe for a shell" 2 'expected PACKAGE.MODULE:FUNCTION' learn 't:f;id' --out "$tmp/own"
expect "two functions" 2 'expected one PACKAGE.MODULE:FUNCTION' "$smith" learn t:narrow t:pool
expect "bad rounds" 2 'rounds: expected 0 to 100, got x' learn t:narrow --rounds x
expect "another framework's folder" 1 'own/functions:1: error: this folder holds functions of' learn t:narrow --framework jax --out "$tmp/own"
mkdir "$tmp/bad" && echo 'junk' >"$tmp/bad/functions"
expect "a bad list" 1 'bad/functions:1: error: expected a framework' learn t:narrow --out "$tmp/bad"
touch "$tmp/refuses"
expect "a failing step is named" 1 'error: step collect of t.narrow failed with exit code 1; its message is above$' learn t:narrow --out "$tmp/none"
expect "… below its message" 1 '^collect: error: nothing to learn$' learn t:narrow --out "$tmp/none"
rm "$tmp/refuses"
touch "$tmp/silent-oracle"
expect "another step that fails" 5 'error: step refine of t.narrow failed with exit code [0-9]+; its message is above' learn t:narrow --out "$tmp/none"
rm "$tmp/silent-oracle"
expect "no compiler" 1 'cannot run /no/cc' env CC=/no/cc "$smith" learn t:narrow --python "$tmp/python" --out "$tmp/nocc"
expect "no Python" 1 'cannot run /no/python' "$smith" learn t:narrow --python /no/python --out "$tmp/nopython"

# By a real Python: a missing module ends the command before a framework is started.
expect "no module" 5 "^rulesmith learn: error: cannot import nope:f: no module named 'nope'" "$smith" learn nope:f --python "$(command -v python3)" --out "$tmp/nope"
check "… before any step" test -z "$(ls "$tmp/nope/steps")"

# Live: an operator in C++ with a shape rule and a constraint of its own, from its signature.
live="a C++ operator is learned live"
python=$venvs/torch/bin/python
if ! [ -x "$python" ]; then skip "$live" "no $python"
elif ! command -v c++ >/dev/null; then skip "$live" "no c++"
else
	torch=$("$python" -c 'import torch; print(torch.__path__[0])')
	check "it compiles" c++ -O0 -shared -fPIC -std=c++20 -I"$torch/include" -o "$tmp/upscale.so" tests/data/user_ops/upscale.cpp \
		-L"$torch/lib" -lc10 -ltorch -ltorch_cpu
	export UPSCALE_LIBRARY="$tmp/upscale.so" PYTHONPATH="$PYTHONPATH:$PWD/tests/data/user_ops"
	expect "$live" 0 'learn: verify' "$smith" learn upscale_ops:upscale --call 'upscale(x: f32[2,6,5], weight: f32[6,4], factor=3)' \
		--framework torch --out "$tmp/live"
	cp "$tmp/out" "$tmp/said"
	check "the resident torch process is gone" test ! -e "$tmp/live/work/resident"
	check "its output is right" grep -qF '    M = L*factor - K + 1' "$tmp/said"
	check "… and its conditions" grep -qF '%factor == 0' "$tmp/said"
	check "its models run" env XDG_CACHE_HOME="$tmp" RULESMITH_VENVS="$venvs" "$fuzz" run --backend torch-same \
		--rules "$tmp/live/own.so" --api 'upscale_ops.*' --strategy calls --count 5 --time 5m --db "$tmp/db" --capabilities none
	cp "$tmp/out" "$tmp/ran"
	check "… and are valid" grep -q "^  reference accepted 100.0 %" "$tmp/ran"
fi

# Live, in a domain of their own: a class with a function for targets, a class without one, and a plain
# function.
live="operators of an ONNX domain are learned live"
python=$venvs/onnx/bin/python
if ! [ -x "$python" ]; then skip "$live" "no $python"
else
	export PYTHONPATH="$PYTHONPATH:$PWD/tests/data/user_ops"
	domain() { # domain NAME CALL…: it is learned; what is said is in $tmp/said
		operator=$1
		shift
		expect "$live: $operator" 0 'learn: verify' "$smith" learn "onnx_ops:$operator" "$@" --framework onnx --count 1000 --out "$tmp/domain"
		cp "$tmp/out" "$tmp/said"
		check "… with the true rule" grep -qE "^onnx_ops.$operator: .* precision 100.00 % of [0-9]{3,}, recall 100.00 % of [0-9]{3,}" "$tmp/said"
	}
	ran() { # ran NAME WHAT: models with calls of it on onnxruntime
		check "its models run" env XDG_CACHE_HOME="$tmp" RULESMITH_VENVS="$venvs" "$fuzz" run --backend onnxruntime --capabilities none \
			--rules "$tmp/domain/own.so" --api "onnx_ops.$1" --strategy calls --count 10 --time 5m --db "$tmp/db-$1"
		cp "$tmp/out" "$tmp/ran"
		check "… and are valid" grep -q "^  reference accepted 100.0 %" "$tmp/ran"
	}
	domain Spread --call 'Spread(x: f32[3,4], y: f32[2,4], times=3)'
	check "… its output" grep -qF '    S = R*times + K  if times is given' "$tmp/said"
	ran Spread
	check "the target runs the class's function" grep -qE 'compared [0-9]+: [1-9][0-9]* agree(;|$)' "$tmp/ran"
	domain Folded # from its signature
	check "… its condition" grep -qF '    K%by == 0' "$tmp/said"
	ran Folded
	check "without a function no target runs it" sh -c "! grep -qE ' compared [1-9][0-9]*:' '$tmp/ran'"
	check "… and that is no finding" grep -qE 'not compared: 10 unsupported$' "$tmp/ran"
	domain scores --call 'scores(query: f32[3,4], key: f32[5,4])'
	check "… its condition" grep -qE '^  key +\(M, K\)$' "$tmp/said"
	expect "a class that is neither is rejected" 5 'json.loads is neither a subclass of onnx.reference.op_run.OpRun nor a FunctionProto' \
		"$smith" learn json:loads --framework onnx --out "$tmp/domain"
fi
echo "1..$n"
