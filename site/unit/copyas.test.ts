import { expect, test } from "vitest";
import { asCommand, asLine, asPython, asRust } from "../src/copyas";

const SIGNATURE = {
  signature: "[k] (n)->(n*k)",
  inputs: ["f32[2, 'n]", null],
  outputs: ["f32[6]"],
  params: { k: 9007199254740993n },
  where: ["n >= 1"],
  max_dim: 8,
};
const OPERATOR = {
  op: "onnx::Conv",
  inputs: ["f32[1, 3, 8, 8]", null, "? or -"],
  outputs: ["f32[1, 4, 6, 6]"],
  attrs: { strides: null, pads: [1, 1, 1, 1], auto_pad: "SAME_UPPER", alpha: 2 },
};

test("as a command, with quotes where a shell needs them", () => {
  expect(asCommand(SIGNATURE)).toBe(
    `kanshape infer '[k] (n)->(n*k)' 'f32[2, '\\''n]' '?' --output 'f32[6]' --param k=9007199254740993 --where 'n >= 1' --max-dim 8`,
  );
  expect(asCommand(OPERATOR)).toBe(
    `kanshape infer onnx::Conv 'f32[1, 3, 8, 8]' '?' '? or -' --output 'f32[1, 4, 6, 6]' --attr 'strides=?' --attr 'pads=[1, 1, 1, 1]' --attr auto_pad=SAME_UPPER --attr alpha=2`,
  );
});

test("as Python", () => {
  expect(asPython(SIGNATURE)).toBe(
    `import kanshape as ks\n\nfor answer in ks.solve("[k] (n)->(n*k)", ["f32[2, 'n]", None], ["f32[6]"], params={"k": 9007199254740993}, where=["n >= 1"], max_dim=8, limit=20):\n    print(answer)\n`,
  );
  expect(asPython({ op: "np.sum", outputs: ["f32[2]"], attrs: { keepdims: true, axis: null } })).toContain(
    `ks.solve("np.sum", outputs=["f32[2]"], attrs={"keepdims": True, "axis": None}, limit=20)`,
  );
});

test("as Rust", () => {
  const signature = asRust(SIGNATURE);
  expect(signature).toContain(`let signature: Signature = "[k] (n)->(n*k)".parse()?;`);
  expect(signature).toContain(`.inputs(["f32[2, 'n]".parse()?, Type::UNKNOWN])`);
  expect(signature).toContain(`.param("k", 9007199254740993)`);
  expect(signature).toContain(`query.given("n >= 1".parse()?).ground().max_dim(8).limit(20).solve()?`);
  const operator = asRust({ ...OPERATOR, inputs: ["f32[1, 3, 8, 8]", null, "?"] }, [2]);
  expect(operator).toContain(
    `operator.call::<Option<Type>>([Some("f32[1, 3, 8, 8]".parse()?), Some(Type::UNKNOWN), Some(Type::UNKNOWN)])`,
  );
  expect(operator).toContain(".may_be_absent([2])");
  expect(operator).toContain(`.attr("strides", AttrValue::Hole)`);
  expect(operator).toContain(`.attr("pads", [1, 1, 1, 1])`);
  expect(operator).toContain("use kanshape::AttrValue;");
});

test("as a line of batch", () => {
  expect(asLine({ signature: "(n)->(n)", params: { k: 9007199254740993n } })).toBe(
    `{"signature":"(n)->(n)","params":{"k":9007199254740993}}`,
  );
});
