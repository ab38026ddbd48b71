# Generated models in torch eager, where the virtual environment of `make backends` is.
. tests/cli/tap.sh
python=${TORCH_PYTHON:-$venvs/torch/bin/python}
if ! [ -x "$python" ]; then
	skip "models run in torch" "no $python: make backends"
	echo "1..1"
	exit 0
fi
$BUILD/rulefuzz gen --count 3 --nodes 3 --seed 5 --api 'torch.[ar]*' --format py -o "$tmp"
check "a script runs alone and agrees with its prediction" sh -c "cd / && $(realpath -s "$python") $tmp/torch-5-0.py"
sed 's/^EXPECTED = \[("\(t[0-9]*\)", (/EXPECTED = [("\1", (77, /' "$tmp/torch-5-0.py" >"$tmp/wrong.py"
expect "a wrong shape is told" 1 'predicted \(77, .*got' "$python" "$tmp/wrong.py"
$BUILD/rulefuzz gen --count 150 --nodes 2 --seed 6 --layouts 0.9 --initializers 0 --api 'torch.[am]*' --format py -o "$tmp/laid"
for script in "$tmp"/laid/*.py; do grep -q 'laid_out(make' "$script" && grep -q 'found\[' "$script" && break; done
check "a script with layouts runs alone" sh -c "cd / && grep -q 'found\[' $script && $(realpath -s "$python") $script"
check "torch's elements are numpy's" "$python" tests/cli/runtime/generate/elements_torch.py
$BUILD/rulefuzz gen --count 1000 --seed 1 | "$python" -m rulefuzz.validity torch --quiet 2>"$tmp/eager"
sed 's/^/# /' "$tmp/eager"
check "at least 99 % of 1000 models are valid" awk 'NR == 1 && $1 >= 0.99 * $3 { ok = 1 } END { exit !ok }' "$tmp/eager"
echo "1..$n"
