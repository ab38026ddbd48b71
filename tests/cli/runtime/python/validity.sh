# rulefuzz.validity, which reports which models are valid, in the virtual environments of `make backends`.
. tests/cli/tap.sh

# chain PREFIX ARGUMENT BY-POSITION API…: a model that chains calls on a float32 tensor of shape [2,3]; each result
# has that shape
chain() {
	prefix=$1 arg=$2 pos=$3
	shift 3
	printf '{"model":1,"index":%d,"values":5,"inputs":[{"id":0,"shape":[2,3],"dtype":"float32"}],"nodes":[' "$index"
	id=0
	for api; do
		[ $id -eq 0 ] || printf ,
		printf '{"op":"%s%s-0","api":"%s%s","args":[{"name":"%s","pos":%s,"value":{"ref":%d}}],' \
		    "$prefix" "$api" "$prefix" "$api" "$arg" "$pos" $id
		id=$((id + 1))
		printf '"outputs":[{"id":%d,"shape":[2,3],"dtype":"float32"}]}' $id
	done
	printf '],"outputs":[%d]}\n' $id
	index=$((index + 1))
}
has() { check "$1" grep -q -- "$2" "$answers"; } # has WHAT PATTERN: an answer says so

any=
for framework in torch tensorflow onnx; do
	[ -x "$venvs/$framework/bin/python" ] && any=$venvs/$framework/bin/python
done
if [ -z "$any" ]; then
	skip "models are run" "nothing in $venvs: make backends"
	echo "1..1"
	exit 0
fi

# ---- common behavior, with a framework that fails in every way
answers=$tmp/answers index=0
for list in "copy copy" "zero inverse copy" "copy raises" "copy narrow copy" "half" "copy copy abort copy" "copy spin" \
    "zero needs_sign" "copy" "gaps needs_no_gaps" "leave"; do
	# shellcheck disable=SC2086 # the list is words
	chain fake. x true $list
done >"$tmp/models"
check "batch with all failures completes" "$any" -m tests.python.fake --failures "$tmp/failures" \
    --nonfinite "$tmp/nonfinite" <"$tmp/models"
cp "$tmp/out" "$answers"
cp "$tmp/err" "$tmp/summary"
has "a valid model" '^{"index": 0, "valid": true, "finite": true}$'
has "first node with an infinity" '"index": 1, "valid": true, "finite": false, "nonfinite": \[1\]'
has "exception, also of the call alone" '"index": 2, "valid": false, "node": 1, .*"kind": "raises", "error": "ValueError: no".*"alone": true'
has "wrong shape" '"index": 3, .*"node": 1, .*"kind": "shape", "error": "shape \[1, 3\] instead of \[2, 3\]"'
has "wrong dtype" '"index": 4, .*"kind": "dtype"'
has "crash, with a description of the inputs" '"index": 5, .*"node": 2, .*"kind": "crash", .*SIGABRT.*"inputs": \[{"shape": \[2, 3\], "dtype": "float32", "min": -.*"alone": true'
has "a hang" '"index": 6, .*"node": 1, .*"kind": "hang"'
has "failure caused by elements" '"index": 7, .*"node": 1, .*"kind": "raises".*"alone": false'
has "models after a crash are run" '^{"index": 8, "valid": true, "finite": true}$'
has "failure caused by layout" '"index": 9, .*"node": 1, .*"alone": false, "layout": true'
has "call that exits" '"index": 10, "valid": false, "node": 0, .*"kind": "crash", "error": "exit code 0".*"alone": true'
check "answers are in order" sh -c "sed 's/,.*//' $answers | sort -c -n -k2"
check "the summary counts" grep -q '^3 of 11 models valid (27.27 %, 95 % interval 9.75 to 56.57 %)' "$tmp/summary"
check "failed calls are written with their symbols" grep -q '{"op": "fake.narrow-0", "in": \[2, 3\], "dtypes": \["float32"\], "constants": \[\], "out": \[2, 3\]' "$tmp/failures"
check "operators that make infinities are listed" grep -q "$(printf '^fake.inverse-0\t1\t1$')" "$tmp/nonfinite"
check "two processes" "$any" -m tests.python.fake --jobs 2 <"$tmp/models"
mv "$tmp/out" "$tmp/again"
check "give the same answers" cmp "$tmp/again" "$answers"

# ---- each framework: a valid model, a wrong shape, a rejected call
for framework in torch tensorflow onnx; do
	python=$venvs/$framework/bin/python
	if ! [ -x "$python" ]; then
		skip "$framework runs models" "no $python: make backends FRAMEWORK=$framework"
		continue
	fi
	index=0
	case $framework in
	torch) chain torch. input true relu exp && chain torch. input true relu t && chain torch. input true linalg.inv ;;
	tensorflow) chain tf.raw_ops. x false Sin Exp && chain tf.raw_ops. input false Shape && chain tf.raw_ops. input false MatrixInverse ;;
	onnx) chain onnx. X true Relu Exp_6 Relu && chain onnx. X true Relu Transpose_1 && chain onnx. X true Det ;;
	esac >"$tmp/models"
	check "$framework runs models" "$python" -m rulefuzz.validity $framework <"$tmp/models"
	cp "$tmp/out" "$answers"
	has "$framework: a valid model" '^{"index": 0, "valid": true, "finite": true}$'
	has "$framework: wrong shape" '"index": 1, "valid": false, .*"kind": "shape"'
	has "$framework: rejected call" '"index": 2, "valid": false, .*"kind": "raises".*"alone": true'
	$BUILD/rulefuzz gen --framework $framework --nodes 20 --count 30 --seed 3 >"$tmp/models"
	check "$framework: generated models" "$python" -m rulefuzz.validity $framework <"$tmp/models"
	check "$framework: one answer per model" [ "$(grep -c '"valid"' "$tmp/out")" -eq 30 ]
done

# ---- TensorFlow: a call that writes to its input gets a copy, which shares no memory with it

python=$venvs/tensorflow/bin/python
if [ -x "$python" ]; then
	mkdir "$tmp/records"
	for api in InplaceUpdate Roll StringUpper; do
		sed 's/"writes":[^]]*\],//' "traces/tensorflow/tf.raw_ops.$api.jsonl" >"$tmp/records/tf.raw_ops.$api.jsonl"
	done
	check "tensorflow: calls that write to inputs are found" "$python" -m traces.collect.frameworks.tensorflow.writes "$tmp/records"
	check "… by running them" grep -q '"writes":\[0\]' "$tmp/records/tf.raw_ops.InplaceUpdate.jsonl"
	check "… and no others" sh -c "! grep -q writes '$tmp/records/tf.raw_ops.Roll.jsonl' '$tmp/records/tf.raw_ops.StringUpper.jsonl'"
	write() { # write COPY: a model that overwrites t0 with zeros, then takes the logarithm of t0, which was positive
		printf '{"model":1,"index":0,"values":5,"inputs":[{"id":0,"shape":[1,3],"dtype":"float32","values":"positive"}],"nodes":['
		printf '{"op":"a-0","api":"tf.raw_ops.ZerosLike","args":[{"name":"x","pos":false,"value":{"ref":0}}],'
		printf '"outputs":[{"id":1,"shape":[1,3],"dtype":"float32"}]},'
		printf '{"op":"b-0","api":"tf.raw_ops.InplaceUpdate","args":[{"name":"x","pos":false,"value":{"ref":0%s}},' "$1"
		printf '{"name":"i","pos":false,"value":{"elements":[0],"dtype":"int32"}},{"name":"v","pos":false,"value":{"ref":1}}],'
		printf '"outputs":[{"id":2,"shape":[1,3],"dtype":"float32"}]},'
		printf '{"op":"c-0","api":"tf.raw_ops.Log","args":[{"name":"x","pos":false,"value":{"ref":0}}],'
		printf '"outputs":[{"id":3,"shape":[1,3],"dtype":"float32"}]}],"outputs":[2,3]}\n'
	}
	write '' >"$tmp/models"
	check "tensorflow: a call writes to its input" "$python" -m rulefuzz.validity tensorflow <"$tmp/models"
	cp "$tmp/out" "$answers"
	has "… which later calls read" '"finite": false, "nonfinite": \[2\]'
	write ',"copy":true' >"$tmp/models"
	check "tensorflow: … unless it gets a copy" "$python" -m rulefuzz.validity tensorflow <"$tmp/models"
	cp "$tmp/out" "$answers"
	has "… with its own memory" '"valid": true, "finite": true'
fi
echo "1..$n"
