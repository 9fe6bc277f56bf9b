"""Wrong graphs: named errors, at once, never a crash."""

import copy
import json
import time
import unittest

import program

GRAPH = json.loads((program.SOURCE / "tests" / "robustness" / "relu.json").read_text())
LIMIT = 1.0  # seconds for one wrong graph
ALLOWANCE = 4  # times LIMIT, for a busy machine


class Graphs(program.ProgramTest):
    def refused(self, content, *ids, name="model.json"):
        """`import torch` refuses the file and says one of the ids, quickly."""
        path = self.file(name, content if isinstance(content, (str, bytes)) else json.dumps(content))
        start = time.monotonic()
        run = self.run_program("import", "torch", path)
        self.assertLess(time.monotonic() - start, ALLOWANCE * LIMIT)
        self.assert_named_error(run, [3, 4], *ids)
        return run.stdout + run.stderr

    def changed(self, change):
        document = copy.deepcopy(GRAPH)
        change(document["graph_module"]["graph"])
        return document

    def test_the_graph_itself_is_right(self):
        self.assertEqual(self.run_program("import", "torch", self.file("model.json", json.dumps(GRAPH))).returncode, 0)

    def test_wrong_shape(self):
        def shape(graph):
            graph["tensor_values"]["relu"]["sizes"] = [{"as_int": 3}]

        said = self.refused(self.changed(shape), "shape-mismatch")
        self.assertIn("'relu'", said)

    def test_wrong_rank(self):
        def rank(graph):
            for part in ("sizes", "strides"):
                graph["tensor_values"]["relu"][part].append({"as_int": 1})

        self.assertIn("'relu'", self.refused(self.changed(rank), "shape-mismatch"))

    def test_fewer_strides_than_sizes(self):
        self.refused(self.changed(lambda g: g["tensor_values"]["relu"]["sizes"].append({"as_int": 1})), "graph-json")

    def test_negative_size(self):
        self.refused(self.changed(lambda g: g["tensor_values"]["x"].update(sizes=[{"as_int": -4}])))

    def test_wrong_dtype(self):
        said = self.refused(self.changed(lambda g: g["tensor_values"]["relu"].update(dtype=12)))
        self.assertIn("'relu'", said)

    def test_missing_tensor(self):
        self.refused(self.changed(lambda g: g["tensor_values"].pop("x")), "graph-json")
        self.refused(self.changed(lambda g: g["tensor_values"].pop("relu")), "graph-json")

        def unknown(graph):
            graph["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "nowhere"}}

        self.assertIn("nowhere", self.refused(self.changed(unknown), "graph-json"))

    def test_cyclic_reference(self):
        def own(graph):
            graph["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "relu"}}

        self.refused(self.changed(own), "graph-json")

        def two(graph):
            other = copy.deepcopy(graph["nodes"][0])
            other["outputs"] = [{"as_tensor": {"name": "other"}}]
            other["inputs"][0]["arg"] = {"as_tensor": {"name": "relu"}}
            graph["nodes"][0]["inputs"][0]["arg"] = {"as_tensor": {"name": "other"}}
            graph["nodes"].append(other)
            graph["tensor_values"]["other"] = copy.deepcopy(graph["tensor_values"]["relu"])

        self.refused(self.changed(two), "graph-json")

    def test_tensor_made_twice(self):
        self.refused(self.changed(lambda g: g["nodes"].append(copy.deepcopy(g["nodes"][0]))), "graph-json")

    def test_wrong_kinds_of_arguments(self):
        for argument in ({"as_int": 3}, {"as_string": "x"}, {"as_none": True}, {"as_tensors": []}, {"as_bool": True}, {},
                         {"as_tensor": 3}, {"as_unheard_of": 1}, None, 7):
            with self.subTest(argument):
                self.refused(self.changed(lambda g, a=argument: g["nodes"][0]["inputs"][0].update(arg=a)))

    def test_missing_and_unknown_arguments(self):
        said = self.refused(self.changed(lambda g: g["nodes"][0].update(inputs=[])), "argument-unsupported")
        self.assertIn("'relu'", said)
        extra = {"name": "inplace", "arg": {"as_bool": True}}
        self.refused(self.changed(lambda g: g["nodes"][0]["inputs"].append(extra)), "argument-unsupported")

    def test_unknown_operator(self):
        said = self.refused(self.changed(lambda g: g["nodes"][0].update(target="torch.ops.aten.nowhere.default")),
                            "operator-unsupported")
        self.assertIn("aten.nowhere.default", said)

    def test_every_part_may_be_missing_or_of_another_kind(self):
        places = []

        def collect(value, path):
            places.append(path)
            for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else []:
                collect(value[key], path + [key])

        collect(GRAPH["graph_module"]["graph"], [])
        for path in places[1:]:
            for replacement in (None, 5, "x", [], {}):
                document = copy.deepcopy(GRAPH)
                parent = document["graph_module"]["graph"]
                for key in path[:-1]:
                    parent = parent[key]
                parent[path[-1]] = replacement
                self.file(f"all/{len(list(self.folder.glob('all/*')))}.json", json.dumps(document))
        run = self.run_program("coverage", self.folder / "all", "--json")
        self.assertIn(run.returncode, (0, 3))
        programs = json.loads(run.stdout)["programs"]
        self.assertEqual(len(programs), 5 * (len(places) - 1))
        for each in programs:
            self.assertLess(each["time_ms"], 1000 * LIMIT)
            for state in ("import", "shape", "denotation", "print"):
                self.assertRegex(each[state], r"^ok$|^not reached|\[[a-z0-9-]+\]$")

    def test_large_junk(self):
        junk = {"spaces": b" " * 100_000_000, "zeros": bytes(100_000_000), "brackets": b"[" * 100_000_000,
                "text": b"junk " * 20_000_000, "digits": b"7" * 100_000_000,
                "open text": b'{"graph_module": "' + b"x" * 100_000_000, "text alone": b'"' + b"x" * 100_000_000 + b'"'}
        for name, content in junk.items():
            with self.subTest(name):
                self.refused(content)
            with self.subTest(name + ".pt2"):
                self.refused(content, name="model.pt2")

    def test_deep_nesting(self):
        for depth in (1_000, 100_000, 5_000_000):
            for opening, closing in (("[", "]"), ('{"a":', "}")):
                with self.subTest(f"{depth} {opening}"):
                    self.refused(opening * depth + "1" + closing * depth)
        size = {"as_expr": {"expr_str": "(" * 50_000 + "s0" + ")" * 50_000, "hint": None}}
        self.refused(self.changed(lambda g: g["tensor_values"]["x"].update(sizes=[size])))


class Coverage(program.ProgramTest):
    def test_json_and_table(self):
        self.file("programs/right.json", json.dumps(GRAPH))
        self.file("programs/below/torn.json", "{")
        run = self.run_program("coverage", self.folder / "programs", "--json")
        self.assertEqual(run.returncode, 3)
        report = json.loads(run.stdout)
        self.assertEqual(report["schema"], 1)
        self.assertEqual([set(each) for each in report["programs"]],
                         [{"file", "import", "shape", "denotation", "print", "operators", "missing", "time_ms"}] * 2)
        torn, right = report["programs"]
        self.assertTrue(torn["file"].endswith("torn.json"))
        self.assertRegex(torn["import"], r"\[json-syntax\]|\[[a-z-]+\]$")
        self.assertEqual([right[state] for state in ("import", "shape", "denotation", "print")], ["ok"] * 4)
        self.assertEqual((right["operators"], right["missing"]), (["aten.relu.default"], []))
        table = self.run_program("coverage", self.folder / "programs")
        self.assertIn("2 programs: import 1, shape 1, denotation 1, print 1", table.stdout)

    def test_costs_and_lines(self):
        document = copy.deepcopy(GRAPH)
        shape = {"sizes": [{"as_int": 4}, {"as_int": 8}], "strides": [{"as_int": 8}, {"as_int": 1}]}
        for tensor in document["graph_module"]["graph"]["tensor_values"].values():
            tensor.update(shape)
        trace = 'File "m.py", line 7, in forward\n    return torch.relu(x)\n'
        document["graph_module"]["graph"]["nodes"][0]["metadata"] = {"stack_trace": trace}
        path = self.file("model.json", json.dumps(document))
        run = self.run_program("import", "torch", path)
        self.assertIn("  relu = aten.relu.default, 32 operations, 256 bytes, m.py:7\n", run.stdout)
        node = json.loads(self.run_program("import", "torch", path, "--json").stdout)["graph"]["nodes"][0]
        self.assertEqual(node["cost"], {"operations": 32, "bytes": 256})
        self.assertEqual(node["where"], {"file": "m.py", "line": 7, "text": "return torch.relu(x)"})
        own = json.loads(self.run_program("import", "torch", path, "--json").stdout)["graph"]
        again = self.run_program("import", "torch", self.file("own.json", json.dumps(own)), "--json")
        self.assertEqual(json.loads(again.stdout)["graph"], own)

    def test_lean_text(self):
        path = self.file("model.json", json.dumps(GRAPH))
        run = self.run_program("import", "torch", path, "--lean")
        self.assertEqual(run.returncode, 0)
        self.assertIn("import Plumbline.Scalar\n", run.stdout)
        self.assertIn("def spec_relu ", run.stdout)
        self.assertEqual(self.run_program("import", "torch", path, "--lean", "--json").returncode, 4)
        self.assertEqual(self.run_program("import", "cuda", path, "--lean").returncode, 4)


if __name__ == "__main__":
    unittest.main()
