"""Runs models in torch eager: JSON lines on standard input; how many ran as predicted on standard output.

    rulefuzz gen --count 1000 | python eager.py [--show N] [--failures FILE]

A model counts as valid when every call returns tensors of the predicted shapes and dtypes. The N operators that failed
most often are listed with an example. FILE gets every failed call as {"op", "in": [symbols], "dtypes", "error"}: questions for
whoever refines the records. Values and constants are built by the workers' own modules.
"""

import argparse
import json
import os
import sys
import warnings
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../runtime/backends"))
import torch
import torch_model
import torch_oracle


def run(model, seed, used):
    """The failed node and why, None when all went well."""
    values = torch_oracle.inputs_of(model, seed)
    for i, node in enumerate(model.nodes):
        used[node.api] += 1
        try:
            results = torch_model.leaves(torch_model.call(node, values))
        except Exception as error:
            return i, f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        got = [(tuple(t.shape), str(t.dtype).removeprefix("torch.")) for t in results]
        want = [(t.shape, t.dtype) for t in node.outputs]
        if got != want:
            return i, f"predicted {want}, got {got}"
        values.update((t.id, result) for t, result in zip(node.outputs, results, strict=True))
    return None


def symbols(item, index):
    """The symbols of a call and the dtypes of its tensors, in argument order."""
    tensors = {t["id"]: t for t in item["inputs"]}
    for node in item["nodes"][:index]:
        tensors.update((t["id"], t) for t in node["outputs"])
    numbers, dtypes = [], []

    def walk(value):
        if isinstance(value, list):
            for part in value:
                walk(part)
        elif isinstance(value, int):
            numbers.append(value)
        elif "ref" in value:
            numbers.extend(tensors[value["ref"]]["shape"])
            dtypes.append(tensors[value["ref"]]["dtype"])

    walk([arg["value"] for arg in item["nodes"][index]["args"]])
    return numbers, dtypes


def judge(line):
    """What became of one model: used APIs, and of a failure the node and why."""
    item = json.loads(line)
    used = Counter()
    fault = run(torch_model.read(item), item["values"], used)
    return {"used": used, "fault": fault}


def judged(lines):
    """Judges lines in children of this process; one that dies costs the model that killed it."""
    while lines:
        source, sink = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(source)
            with os.fdopen(sink, "w") as out:
                for line in lines:
                    print(json.dumps(judge(line)), file=out, flush=True)
            os._exit(0)
        os.close(sink)
        done = 0
        with os.fdopen(source) as answers:
            for answer in answers:
                if answer.endswith("\n"):
                    yield lines[done], json.loads(answer)
                    done += 1
        status = os.waitpid(child, 0)[1]
        if done < len(lines):
            yield lines[done], {"used": {}, "fault": [-1, f"torch died (status {status})"]}
            done += 1
        lines = lines[done:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=10)
    parser.add_argument("--failures")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    torch.set_grad_enabled(False)
    lines = sys.stdin.readlines()
    used, failed, example, questions = Counter(), Counter(), {}, []
    for line, answer in judged(lines):
        used.update(answer["used"])
        if answer["fault"] is None:
            continue
        item = json.loads(line)
        index, error = answer["fault"]
        operator = item["nodes"][index]["op"] if index >= 0 else "?"
        failed[operator] += 1
        example.setdefault(operator, f"model {item['index']}, node {index}: {error[:200]}")
        if index >= 0:
            numbers, dtypes = symbols(item, index)
            questions.append({"op": operator, "in": numbers, "dtypes": dtypes, "error": error})
    valid = len(lines) - sum(failed.values())
    share = 100 * valid / len(lines) if lines else 100
    print(f"{valid} of {len(lines)} models valid ({share:.2f} %), {len(used)} APIs")
    for operator, count in failed.most_common(arguments.show):
        print(f"{count:6} {operator}: {example[operator]}")
    if arguments.failures:
        with open(arguments.failures, "w", encoding="utf-8") as out:
            out.writelines(json.dumps(question) + "\n" for question in questions)


if __name__ == "__main__":
    main()
