"""`plumbline gate`: exit codes, the printed object and its schema, named errors."""

import json
import pathlib
import unittest

import jsonschema
from referencing import Registry, Resource

from program import ProgramTest, SOURCE

KERNELS = SOURCE / "tests" / "gate" / "kernels"
LAUNCHES = KERNELS / "launches.json"
SCHEMAS = SOURCE / "resources" / "schema"


def validator():
    resources = [json.loads(path.read_text()) for path in SCHEMAS.glob("*.schema.json")]
    registry = Registry().with_resources([(each["$id"], Resource.from_contents(each)) for each in resources])
    return jsonschema.Draft202012Validator(
        json.loads((SCHEMAS / "gate.schema.json").read_text()), registry=registry
    )


class GateCommand(ProgramTest):
    def gate(self, name, *options):
        return self.run_program("gate", KERNELS / f"{name}.cu", "--launch", LAUNCHES, *options)

    def test_accepted(self):
        result = self.gate("block_sum", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        report = json.loads(result.stdout)
        validator().validate(report)
        self.assertEqual((report["schema"], report["status"], report["findings"]), (1, "accepted", []))
        self.assertTrue(all(each["status"] == "proved" for each in report["obligations"]))

    def test_refused(self):
        result = self.gate("block_sum_racing", "--json")
        self.assertEqual(result.returncode, 5, result.stderr)
        report = json.loads(result.stdout)
        validator().validate(report)
        (finding,) = report["findings"]
        self.assertEqual((finding["kind"], finding["replayed"]), ("race-block", True))
        self.assertEqual(len(finding["threads"]), 2)
        self.assertEqual(len(finding["spans"]), 2)
        text = self.gate("block_sum_racing")
        self.assertIn("safety gate: refused", text.stdout)
        self.assertIn("race-block", text.stdout)

    def test_ended_threads(self):
        self.assertEqual(self.gate("early_exit").returncode, 5)
        self.assertEqual(self.gate("early_exit", "--exited-threads-ok").returncode, 0)

    def test_host_arithmetic_counts_where_it_is_evaluated(self):
        wrapper = """#include <torch/extension.h>
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
static int64_t y0(int64_t v) { return 10 / v; }
static int64_t third(int64_t a, int64_t b) { int64_t q = a / b; q += 1; return q; }
static void positive(int64_t v) { TORCH_CHECK(v > 0); }
torch::Tensor f(torch::Tensor x, int64_t heads, int m) {
  %s
  auto y = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
"""
        divides = "division-by-zero"
        for statements, kind in (
                ("TORCH_CHECK(x.numel() % heads == 0);", divides),
                ("TORCH_CHECK(x.numel() % heads == 0 && heads > 0);", divides),
                ("TORCH_CHECK(x.numel() % heads == 0); TORCH_CHECK(heads > 0);", divides),
                ("int64_t z = x.numel() / heads;", divides),
                ("int64_t z = x.numel() / heads; TORCH_CHECK(z > 0); TORCH_CHECK(heads > 0);", divides),
                ("int64_t z = 0; z = x.numel() / heads;", divides),
                ("int total = (int)x.numel() * 4;", "overflow"),
                ("int64_t z = x.numel(); z /= heads;", divides),
                ("int64_t z = x.numel(); z %= heads;", divides),
                ("int z = m; z *= 4;", "overflow"),
                ("int z = m; z -= 2000000000;", "overflow"),
                ("int z = m; z <<= 4;", "overflow"),
                ("int z = m; ++z;", "overflow"),
                ("int z = -m;", "overflow"),
                ("int z = m % -1;", "overflow"),
                ("int z = m; z %= -1;", "overflow"),
                ("const int d = -1; TORCH_CHECK(m % d == 0);", "overflow"),
                ("y0(heads);", divides),
                ("int64_t z = third(x.numel(), heads);", divides),
                ("auto t = torch::zeros({x.numel() / heads});", divides),
                ("dim3 unused(x.numel() / heads);", divides),
                ("std::vector<int64_t> sizes = {1, x.numel() / heads};", divides),
                ("(void)(x.numel() / heads);", divides),
                ("float ratio = 2.0f * (x.numel() / heads);", divides),
                ("bool b = x.numel() > 0 && x.numel() / heads > 2;", divides),
                ("int64_t z = x.numel() > 3 ? x.numel() / heads : 0;", divides),
                ("TORCH_CHECK(heads < 1000); int64_t z = at::ceil_div(x.numel(), heads);", divides),
                ("TORCH_CHECK(heads > 0); int64_t z = at::ceil_div(x.numel(), heads);", "overflow"),
                ("TORCH_CHECK(heads > 0); int64_t z = 10 / (int)heads;", "overflow"), # the conversion may give 0
                ("for (int i = 0; i < 3; ++i) heads -= x.numel() / heads;", divides),
                # Checks that come too late, or protect too little.
                ("int64_t z = x.numel() / heads; positive(heads);", divides),
                ("int z = m * 4; TORCH_CHECK(m >= 0 && m < 100);", "overflow"),
                ("TORCH_CHECK(heads >= 0 && x.numel() % heads == 0);", divides),
                ("TORCH_CHECK(heads < 0 || x.numel() % heads == 0);", divides),
                ("if (heads < 0 || x.numel() % heads != 0) throw std::runtime_error(\"heads\");", divides),
                ("int64_t z = heads == 1 ? 0 : x.numel() / heads;", divides),
                ("int64_t z = 0; if (heads >= 0) z = x.numel() / heads;", divides),
                # The same, protected.
                ("positive(heads); int64_t z = x.numel(); z /= heads; z %= heads;", None),
                ("TORCH_CHECK(m >= 0 && m < 100); int z = m; z *= 4; z <<= 4; ++z; z = -z;", None),
                ("TORCH_CHECK(heads > 0); y0(heads); third(x.numel(), heads);", None),
                ("positive(heads); auto t = torch::zeros({x.numel() / heads});", None),
                ("TORCH_CHECK(heads > 0 && heads < 1000); int64_t z = 10 / (int)heads;", None),
                ("if (heads <= 0 || x.numel() % heads != 0) throw std::runtime_error(\"heads\");", None),
                ("TORCH_CHECK(!(heads <= 0 || x.numel() % heads == 3));", None),
                ("int64_t z = 0; if (heads > 0) z = x.numel() / heads;", None),
                ("TORCH_CHECK(heads > 0); int64_t z = x.numel() > 3 ? x.numel() / heads : 0;", None),
                ("size_t z = sizeof(x.numel() / heads);", None), # not evaluated
                ("auto later = [&] { return x.numel() / heads; };", None), # nor is this
                ("unsigned z = (unsigned)m * 4u;", None), # wraps
                ("TORCH_CHECK(m > -5); int z = m % -1; z %= -1;", None),
                ("TORCH_CHECK(heads > 0 && x.numel() % heads == 0);", None),
                ("TORCH_CHECK(heads > 0); TORCH_CHECK(x.numel() % heads == 0);", None),
                ("TORCH_CHECK(heads != 0); int64_t z = x.numel() / heads;", None),
                ("int64_t z = heads == 0 ? 0 : x.numel() / heads;", None),
                ("int total = (int)x.numel();", None)):
            with self.subTest(statements):
                source = self.file("host.cu", wrapper % statements)
                result = self.run_program("gate", source, "--json")
                report = json.loads(result.stdout)
                kinds = sorted({finding["kind"] for finding in report["findings"]})
                if kind:
                    self.assertEqual((report["status"], kinds), ("refused", [kind]))
                    self.assertTrue(all(finding["replayed"] for finding in report["findings"]))
                else:
                    self.assertEqual((report["status"], kinds), ("accepted", []))

    def test_host_arithmetic_that_is_not_read_leaves_it_open(self):
        for statements in ('TORCH_CHECK(n > 3, "n / heads is ", n / heads);',
                           "if (n == 6) { int64_t z = n / heads; throw std::runtime_error(\"six\"); }",
                           "auto now = [&] { return n / heads; }; int64_t z = now();",
                           "int64_t z = 5 >> (heads & 15);",
                           "int64_t z = std::abs(heads);",
                           "int64_t z = llabs(n - heads);",
                           "if (n == 7) { int64_t z = n / heads; return x; }"):
            with self.subTest(statements):
                source = self.file("host.cu", """#include <torch/extension.h>
__global__ void k(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i];
}
torch::Tensor f(torch::Tensor x, int64_t heads) {
  int n = x.numel();
  %s
  auto y = torch::empty_like(x);
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
  return y;
}
""" % statements)
                result = self.run_program("gate", source, "--json")
                self.assertEqual(json.loads(result.stdout)["status"], "undetermined", result.stdout)
        plain = source.read_text().replace(statements, 'TORCH_CHECK(n > 3, "n/heads is ", n, x->y);').replace(", x->y", "")
        self.assertEqual(self.run_program("gate", self.file("plain.cu", plain)).returncode, 0)

    def test_a_kernel_outside_the_fragment_is_named_with_its_construct(self):
        """Whether the launch comes from the wrapper, from a named kernel or from a file; beside other kernels."""
        kernel = """__global__ void %s(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  %s
  if (i < n) y[i] = x[i];
}
"""
        wrapper = """torch::Tensor %s(torch::Tensor x) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  %s
  return y;
}
"""
        assembly = 'asm volatile("membar.gl;");'
        launch = "%s<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);"
        head = "#include <torch/extension.h>\n"
        rejected, good = kernel % ("bad", assembly), kernel % ("good", "")
        alone = self.file("alone.cu", head + rejected + wrapper % ("f", launch % "bad"))
        after = self.file("after.cu", head + rejected + good + wrapper % ("f", launch % "good" + launch % "bad"))
        beside = self.file("beside.cu", head + rejected + good + wrapper % ("f", launch % "good") +
                           wrapper % ("g", launch % "bad"))
        loop = self.file("loop.cu", head + rejected + wrapper % (
            "f", "if (n > 7) { " + launch % "bad" + " } else { " + launch % "bad" + " }"))
        contract = self.file("launch.json", json.dumps({"kernels": {"bad": {
            "symbols": {"n": [1, 1000]}, "grid": ["ceil(n, 256)", "1", "1"], "block": ["256", "1", "1"],
            "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "scalars": {"n": "n"}}}}))
        for words in ((alone,), (alone, "--kernel", "bad"), (alone, "--kernel", "bad", "--launch", contract),
                      (after,), (after, "--kernel", "good"), (beside,), (beside, "--kernel", "bad"), (loop,)):
            with self.subTest(words):
                result = self.run_program("gate", *words, "--json")
                self.assertEqual(result.returncode, 3, result.stdout + result.stderr)
                report = json.loads(result.stdout)
                validator().validate(report)
                self.assertEqual(report["status"], "unsupported")
                self.assertIn("kernel 'bad' is outside the accepted fragment", report["reason"])
                (construct,) = report["rejections"]
                where = (construct["id"], construct["file"], construct["line"], construct["column"])
                self.assertEqual(where, ("inline-asm", str(words[0]), 4, 3))
                text = self.run_program("gate", *words).stdout
                self.assertIn("safety gate: unsupported - ", text)
                self.assertIn(f"{words[0]}:4:3: inline assembly [inline-asm]\n", text)
                self.assertTrue(text.endswith("  next: rewrite the constructs named above\n"), text)
                self.assertNotIn("could not be read", text)
        self.assertEqual(self.run_program("gate", beside, "--kernel", "good").returncode, 0)
        unread = self.run_program("gate", self.file("unread.cu", head + good + wrapper % (
            "f", "goto end; end:" + launch % "good")))
        self.assertEqual(unread.returncode, 2, unread.stdout + unread.stderr)
        self.assertIn("undetermined - host code that could not be read", unread.stdout)
        self.assertIn("--launch", unread.stdout)
        help_text = self.run_program("gate", "--help").stdout
        self.assertIn("3 unsupported", help_text)

    def test_a_thread_that_misses_a_barrier_is_where_it_ended(self):
        """The return that it took, or the closing brace."""
        kernel = "__global__ void k(const float* x, float* y, int n) {\n  int i = threadIdx.x;\n%s\n  y[i] = x[i];\n%s}\n"
        launch = self.file("launch.json", json.dumps({"kernels": {"k": {
            "symbols": {"n": [1, 63]}, "grid": ["1", "1", "1"], "block": ["64", "1", "1"],
            "buffers": {"x": {"len": "64", "role": "input"}, "y": {"len": "64", "role": "output"}}, "scalars": {"n": "n"}}}}))
        for body, end, wanted in (("  if (i < n)\n    __syncthreads();", "  y[i] += 1.0f;\n", {(4, 5), (7, 1)}),
                                  ("  if (i >= n) {\n    y[i] = x[i];\n    return;\n  }\n  __syncthreads();", "",
                                   {(5, 5), (7, 3)})):
            source = self.file("missed.cu", kernel % (body, end))
            report = json.loads(self.run_program("gate", source, "--launch", launch, "--json").stdout)
            (finding,) = report["findings"]
            self.assertEqual(finding["kind"], "divergent-barrier")
            self.assertEqual({(span["line"], span["column"]) for span in finding["spans"]}, wanted)

    def test_queries_are_saved(self):
        folder = pathlib.Path(self.folder) / "queries"
        self.gate("tile_transpose", "--queries", folder)
        saved = list(folder.glob("obligation-*.smt2"))
        self.assertTrue(saved)
        self.assertIn("(check-sat)", saved[0].read_text())

    def test_named_errors(self):
        missing = self.run_program("gate", KERNELS / "scale.cu", "--json")
        self.assertEqual(missing.returncode, 4)
        self.assertEqual(json.loads(missing.stdout)["error"]["id"], "launch-missing")
        self.file("never.json", json.dumps({
            "block": [256], "grid": [1], "symbols": {"n": [1, 10]}, "assume": ["n > 20"],
            "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}}))
        never = self.run_program("gate", KERNELS / "scale.cu", "--launch",
                                 pathlib.Path(self.folder) / "never.json", "--json")
        self.assertEqual(never.returncode, 4)
        self.assertEqual(json.loads(never.stdout)["error"]["id"], "launch-contradiction")

    HEAD = (
        "#include <torch/extension.h>\n"
        "__global__ void k(const float* x, float* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];\n}\n"
    )

    def wrapper(self, name, size, before=""):
        return (
            f"torch::Tensor {name}(torch::Tensor x) {{\n  {before}int n = {size};\n"
            "  auto y = torch::empty_like(x);\n"
            "  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n"
        )

    def status(self, text):
        self.file("host.cu", self.HEAD + text)
        result = self.run_program("gate", pathlib.Path(self.folder) / "host.cu", "--json")
        return json.loads(result.stdout).get("status", result.stdout)

    def test_launches_outside_plain_functions_leave_it_open(self):
        good = self.wrapper("f", "x.numel()")
        faulty = self.wrapper("g", "x.numel() + 1")
        self.assertEqual(self.status(good), "accepted")
        self.assertEqual(self.status(good + "struct S { static " + faulty + "};\n"), "undetermined")
        self.assertEqual(
            self.status(good + "auto g = [](torch::Tensor x) -> torch::Tensor {" + faulty.split("{", 1)[1][:-1] + ";\n"),
            "undetermined")

    def test_a_tensor_may_have_no_dimension(self):
        self.assertEqual(self.status(self.wrapper("f", "x.dim() > 0 ? x.numel() : 0")), "refused")

    def test_ways_that_nothing_takes_hide_no_fault(self):
        dead = self.wrapper("f", "x.numel()", "TORCH_CHECK(x.numel() > 10); if (x.numel() < 5) return x; ")
        faulty = self.wrapper("g", "x.numel() - 1")
        self.assertEqual(self.status(dead + faulty), "refused")

    def test_a_check_that_protects_its_divisor(self):
        """k > 0 keeps the division from zero; a launch with k = 0 is never reached."""
        checked = self.wrapper("f", "x.numel() / k", "TORCH_CHECK(k > 0 && x.numel() % k == 0); ")
        checked = checked.replace("torch::Tensor x)", "torch::Tensor x, int64_t k)", 1)
        self.file("host.cu", self.HEAD + checked)
        result = self.run_program("gate", pathlib.Path(self.folder) / "host.cu", "--json")
        kinds = {each["kind"] for each in json.loads(result.stdout)["findings"] if each["replayed"]}
        self.assertNotIn("division-by-zero", kinds)

    def test_picture_of_a_race(self):
        """Thread t writes s[t] and reads s[255 - t], with no barrier between."""
        self.file("race.cu", (
            "#include <torch/extension.h>\n"
            "__global__ void flip(const float* x, float* y, int n) {\n"
            "  __shared__ float s[256];\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;\n"
            "  s[t] = i < n ? x[i] : 0.0f;\n"
            "  float v = s[255 - t];\n"
            "  if (i < n) y[i] = v > 0 ? v : 0;\n}\n"
            "torch::Tensor forward(torch::Tensor x) {\n"
            "  auto y = torch::empty_like(x);\n  int n = x.numel();\n"
            "  flip<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n"))
        relu = SOURCE / "resources" / "samples" / "relu-guard" / "graph.json"
        result = self.run_program("check", relu, pathlib.Path(self.folder) / "race.cu", "--json")
        self.assertEqual(result.returncode, 5, result.stderr)
        (finding,) = json.loads(result.stdout)["gate"]["findings"]
        self.assertEqual(finding["kind"], "race-block")
        picture = finding["picture"]
        self.assertEqual((picture["array"], picture["length"]), ("s", 256))
        at = picture["index"]
        here = {(each["thread"][0], each["access"]) for each in picture["accesses"] if each["index"] == at}
        self.assertEqual(here, {(at, "write"), (255 - at, "read")})
        for each in picture["accesses"]:
            thread = each["thread"][0]
            self.assertEqual(each["index"], thread if each["access"] == "write" else 255 - thread)
            self.assertEqual(each["span"]["line"], 5 if each["access"] == "write" else 6)

    def test_order_of_float_atomics(self):
        floats = json.loads(self.gate("grid_sum_atomic", "--json").stdout)
        validator().validate(floats)
        self.assertEqual([each["array"] for each in floats["order_dependent"]], ["total"])
        self.assertEqual(floats["order_dependent"][0]["span"]["line"], 11)
        self.assertNotIn("order_dependent", json.loads(self.gate("histogram", "--json").stdout))

    def test_everything_that_the_wrappers_do(self):
        kernels = (
            "#include <torch/extension.h>\n"
            "__global__ void a(const float* x, float* t, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) t[i] = x[i] * 2;\n}\n"
            "__global__ void b(float* t, int n) {\n"
            "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i + 1 < n) t[i] = t[i + 1];\n}\n"
        )
        launch = "  {}<<<(n + 255) / 256, 256>>>({}t.data_ptr<float>(), n);\n"
        head = "torch::Tensor {}(torch::Tensor x) {{\n  int n = x.numel();\n  auto t = torch::empty_like(x);\n"
        first = launch.format("a", "x.data_ptr<float>(), ")
        one = head.format("one") + first + "  return t;\n}\n"
        two = head.format("two") + first + launch.format("b", "") + "  return t;\n}\n"
        unread = one.replace("one", "three").replace("  return", "  goto end;\nend:\n  return")
        folder = pathlib.Path(self.folder)
        self.file("one.cu", kernels + one)
        self.assertEqual(self.run_program("gate", folder / "one.cu").returncode, 0)
        self.file("two.cu", kernels + one + two)
        both = self.run_program("gate", folder / "two.cu", "--json")
        self.assertEqual(both.returncode, 5, both.stderr)
        report = json.loads(both.stdout)
        validator().validate(report)
        self.assertEqual({each["kind"] for each in report["findings"]}, {"race-block", "race-grid"})
        self.assertTrue(all(each["message"].startswith("two: launch 2, b: ") for each in report["findings"]))
        only = self.run_program("gate", folder / "two.cu", "--kernel", "b")
        self.assertEqual(only.returncode, 5, only.stderr)
        self.file("three.cu", kernels + one + unread)
        left = self.run_program("gate", folder / "three.cu", "--json")
        self.assertEqual(left.returncode, 2, left.stdout + left.stderr)
        self.assertEqual(json.loads(left.stdout)["rejections"][0]["id"], "host-statement")


if __name__ == "__main__":
    unittest.main()
