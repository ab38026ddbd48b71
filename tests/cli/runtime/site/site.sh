#!/bin/sh
# rulefuzz site: pages for any rules, in a browser and without one.
. tests/cli/tap.sh
fuzz=$BUILD/rulefuzz here=tests/cli/runtime/site
rules=$BUILD/rules.jsonl
help_names() { "$fuzz" site --help | grep -q -- '--since'; }
check "help" help_names
check "text has a contrast of 4.5" python3 $here/contrast.py runtime/site/site.css
expect "unexpected argument" 2 "unexpected argument 'build'" "$fuzz" site build
expect "no rules" 1 'nowhere' "$fuzz" site --rules "$tmp/nowhere" --out "$tmp/site"
echo '{"rules":1}' >"$tmp/bad.jsonl"
echo '{"op":"../x-0","api":"../x","framework":"torch"}' >>"$tmp/bad.jsonl"
expect "API name with a path" 1 'bad.jsonl:2: error: key "api"' "$fuzz" site --rules "$tmp/bad.jsonl" --out "$tmp/site"
check "… writes nothing" [ ! -e "$tmp/site" ]
: >"$tmp/file"
echo '{"rules":1}' >"$tmp/none.jsonl"
expect "unwritable folder" 1 'error' "$fuzz" site --rules "$tmp/none.jsonl" --out "$tmp/file/site"
check "no rules at all" "$fuzz" site --rules "$tmp/none.jsonl" --out "$tmp/empty"
check "… give an index" python3 $here/pages.py check "$tmp/empty"

if command -v node >/dev/null; then
	check "search finds names with a typo, exact matches first" node -e '
		const { find, distance } = require("./runtime/site/site.js");
		const names = ["torch.softmax", "torch.nn.functional.softmax", "torch.soft", "torch.nn.functional.conv2d", "torch.add", "torch.mul"];
		const found = text => find(names, text.split(" ")).map(([, i]) => names[i]).join(" ");
		const same = (is, wanted) => { if (is !== wanted) throw new Error(`${is}, wanted ${wanted}`); };
		same(found("softmx"), "torch.softmax torch.nn.functional.softmax");
		same(found("sfotmax"), "torch.softmax torch.nn.functional.softmax");
		same(found("covn2d"), "torch.nn.functional.conv2d");
		same(found("soft"), "torch.soft torch.softmax torch.nn.functional.softmax");
		same(found("functional softmx"), "torch.nn.functional.softmax");
		same(found("adx"), "");
		same(found("zzzzzzzz"), "");
		same(distance("kitten", "sitting", 9), 3);
		same(distance("kitten", "sitting", 2), 3);
		same(distance("ab", "ba", 2), 1);'
else
	ok "search # SKIP no node"
fi

if [ ! -e "$rules" ]; then
	ok "pages of all rules # SKIP make rules first"
	echo "1..$n"
	exit 0
fi
grep -E '^\{"rules"|"api":"(torch.max_pool2d|torch.matmul|torch.add|onnx.Resize)"' "$rules" >"$tmp/small.jsonl"
check "a site" "$fuzz" site --rules "$tmp/small.jsonl" --out "$tmp/site"
check "… once more" "$fuzz" site --rules "$tmp/small.jsonl" --out "$tmp/again"
check "… with the same bytes" diff -r "$tmp/site" "$tmp/again"
check "pages are well-formed, with allowed links only" python3 $here/pages.py check "$tmp/site"
check "formulas" grep -q '<math><mi>stride</mi><mo>&gt;</mo><mn>0</mn></math>' "$tmp/site/torch/max_pool2d.html"
check "the C" grep -q '<u>torch_max_pool2d_shape</u>' "$tmp/site/torch/max_pool2d.html"
check "a picture" grep -q '<svg id="picture"' "$tmp/site/torch/max_pool2d.html"
check "links to the frameworks' documentation" grep -q 'href="https://onnx.ai/onnx/operators/onnx__Resize.html"' "$tmp/site/onnx/Resize.html"
check "dtypes" grep -q '<p class="dtypes"><b>dtypes</b> input' "$tmp/site/torch/max_pool2d.html"
check "a legend" grep -q '<code>window(size, kernel, stride, padding, dilation)</code>' "$tmp/site/legend.html"
check "… linked from each page" sh -c "! grep -L 'legend.html' '$tmp'/site/index.html '$tmp'/site/*/*.html | grep ."
check "no page of changes" [ ! -e "$tmp/site/changes.html" ]

python3 $here/pages.py make "$rules" "$tmp/hostile.jsonl"
check "hostile rules" "$fuzz" site --rules "$tmp/hostile.jsonl" --out "$tmp/hostile" --since "$tmp/small.jsonl"
check "… are escaped" python3 $here/pages.py check "$tmp/hostile"
check "… beside pictures" grep -q '<svg id="picture"' "$tmp/hostile/torch/max_pool2d.html"

sed 's/"s4 > 0"/"s4 >= 0"/; /"torch.matmul-1"/d; s/torch.add\b/torch.sub/g' "$tmp/small.jsonl" >"$tmp/old.jsonl"
check "--since" "$fuzz" site --rules "$tmp/small.jsonl" --since "$tmp/old.jsonl" --out "$tmp/since"
check "… pages are well-formed" python3 $here/pages.py check "$tmp/since"
check "… changed rule" grep -q 'removed clause: <del><code>s4 &gt;= 0</code></del>' "$tmp/since/torch/max_pool2d.html"
check "… added signature" grep -q '<b>-1 added</b>' "$tmp/since/torch/matmul.html"
check "… added API" grep -q 'torch.add</a>: new API' "$tmp/since/changes.html"
check "… removed API" grep -q 'torch.sub: removed API' "$tmp/since/changes.html"
check "--since with the same rules" "$fuzz" site --rules "$tmp/small.jsonl" --since "$tmp/small.jsonl" --out "$tmp/same"
check "… has no changes" grep -q '<li>No changes.</li>' "$tmp/same/changes.html"
sed 's/"id":"[0-9a-f]*"/"id":"0000000000000000"/' "$tmp/small.jsonl" >"$tmp/strange.jsonl"
check "rules outside the table" "$fuzz" site --rules "$tmp/strange.jsonl" --out "$tmp/strange"
check "… have no picture" sh -c "! grep -q '<svg' '$tmp/strange/torch/max_pool2d.html'"

if command -v node >/dev/null; then
	check "pictures agree with rs_eval, drawn by C and by the script" node $here/pictures.js "$tmp/site" "$fuzz"
else
	ok "pictures by the script # SKIP no node"
fi
browser=$(command -v chromium || command -v google-chrome || :)
if [ -n "$browser" ]; then
	check "in a browser, by keyboard" timeout 300 python3 $here/browser.py "$browser" "$tmp/site"
	check "hostile pages in a browser" timeout 300 python3 $here/browser.py "$browser" "$tmp/hostile" --api torch/matmul.html --words matmul
else
	ok "in a browser # SKIP none is installed"
fi
echo "1..$n"
