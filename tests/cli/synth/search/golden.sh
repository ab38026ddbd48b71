#!/bin/sh
# rulesmith synth and explain on small records: the rules, the search that found them and their explanations
# equal those in tests/golden/synth. sample/ holds recorded calls of 43 APIs, chosen for high coverage of the
# synthesizer at small size. UPDATE=1 rewrites the golden files; read the diff before committing it.
. tests/cli/tap.sh
smith=$BUILD/rulesmith records=tests/data/records
[ -n "$UPDATE" ] && mkdir -p tests/golden/synth
rules() { # rules FOLDER…: without the versions in the first line
	for folder; do set -- "$@" --traces "$folder" && shift; done
	"$smith" synth "$@" -j1 --statistics "$tmp/statistics" | sed '1s/"tool":.*"z3":"[^"]*",//'
}
counted() { # number of attempts per stage: shows a changed order or bound even if the rules stay
	sed 's/.*"stages"://' "$tmp/statistics" | grep -o '"stage":"[^"]*","expressions":[0-9]*'
}
for folder in $records $records/family $records/shared $records/resorts $records/proof $records/sample; do
	name=$(basename "$folder")
	golden "$name: the rules" "synth/$name.jsonl" rules "$folder"
	golden "… and the number of expressions per stage" "synth/$name.stages.txt" counted
done
golden "APIs together, which share rules" synth/together.jsonl rules $records $records/shared $records/proof

explain() { # explain FOLDER OP…: each in turn
	folder=$1
	shift
	for op; do "$smith" explain "$op" --search-log --traces "$folder" -j1 --cache "$tmp/cache" 2>&1 | sed '/^explain: \(reading\|solving\) /d'; done
}
golden "explanations" synth/explained.txt explain $records/sample torch.matmul-1 tf.raw_ops.CTCLoss-0 torch.Tensor.stft-0 \
	torch.pca_lowrank-0 torch.diagflat-0 onnx.Slice_11-0 torch.nn.init.dirac_-0 tf.raw_ops.SparseReshape-0
golden "… of an API" synth/explained_family.txt explain $records/family m.pool-0 m.crop-2 m.view-1
golden "… of shape functions that others use" synth/explained_shared.txt explain $records/shared 'm.*-0'

neuri() { "$smith" synth --traces $records --layer neuri --neuri-ops "$1" -j1 | tail -n +2; }
golden "NeuRI's algorithm" synth/neuri1.jsonl neuri 1
held_out() { "$smith" holdout --traces $records/family --folds 3 --wrong -j1 2>/dev/null; }
golden "cross-validation" synth/holdout.txt held_out
questions() { "$smith" questions --traces $records/sample --each 2 --cache "$tmp/cache" -j1 2>/dev/null; }
golden "questions" synth/questions.jsonl questions
bank() { "$smith" bank -n "$1" -k "$2" -j1 --audit 0 --list; }
golden "the bank's expressions" synth/bank.txt bank 2 2
echo "1..$n"
