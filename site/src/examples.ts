/** The examples of the lab, in groups. */

import type { Question } from "./question";
import { question } from "./question";

export interface Example {
  title: string;
  q: Question;
}

export interface Group {
  title: string;
  examples: Example[];
}

/** The signatures with which the language began, one each. */
const LINES: Example[] = [
  { title: "(d),(d)->()  dot product", q: question("(d),(d)->()", { inputs: ["f32[3]", "f32[n]"] }) },
  {
    title: "(m,n),(n,p)->(m,p)  matrix product",
    q: question("(m,n),(n,p)->(m,p)", { inputs: ["f32[2,n]", ""], outputs: ["f32[2,4]"] }),
  },
  {
    title: "(M,.k.),(J,.k.)->(J,.k.)  take along axis -k",
    q: question("(M,.k.),(J,.k.)->(J,.k.)", { inputs: ["f32[5,2,3]", "f32[7,2,3]"] }),
  },
  {
    title: "(M,.1.),(J,.1.)->(J,.1.)  take along axis -2",
    q: question("(M,.1.),(J,.1.)->(J,.1.)", { inputs: ["f32[5,2]", ""], outputs: ["f32[7,2]"] }),
  },
  { title: "(d)->()  reduction over the last axis", q: question("(d)->()", { inputs: ["f32[3]"] }) },
  { title: "(d,...)->(...)  reduction over axis 0", q: question("(d,...)->(...)", { outputs: ["f32[4,5]"] }) },
  {
    title: "(.1.,d,...)->(.1.,...)  reduction over axis 1",
    q: question("(.1.,d,...)->(.1.,...)", { inputs: ["f32[3,4,5]"] }),
  },
  {
    title: "(.2.,d,...)->(.2.,...)  reduction over axis 2",
    q: question("(.2.,d,...)->(.2.,...)", { inputs: ["f32[3,4,n]"] }),
  },
  {
    title: "(.2.,d,...,k,.1.)->(.2.,...,.1.)  reduction over axes 2 and -2",
    q: question("(.2.,d,...,k,.1.)->(.2.,...,.1.)", { outputs: ["f32[2,3,6]"] }),
  },
  { title: "(2)->()  a dim that is 2", q: question("(2)->()", { inputs: ["f32[n]"] }) },
  { title: "(2,.2.)->()  axis -3 is 2", q: question("(2,.2.)->()", { inputs: ["f32[?,3,4]"] }) },
  { title: "+(d)->()  reduction over the last axis, batched", q: question("+(d)->()", { outputs: ["f32[7,8]"] }) },
  {
    title: "=(d),(d)->()  dot product, equal batches",
    q: question("=(d),(d)->()", { inputs: ["f32[B,3]", "f32[7,d]"] }),
  },
  {
    title: "+(),()->()  elementwise with broadcasting",
    q: question("+(),()->()", { inputs: ["f32[8,1,6,1]", "f32[7,1,5]"] }),
  },
  {
    title: "=(),()->()  elementwise without broadcasting",
    q: question("=(),()->()", { inputs: ["f32[2,n]", ""], outputs: ["f32[m,3]"] }),
  },
  { title: "=(),(),()->(3,)  stack of three", q: question("=(),(),()->(3,)", { outputs: ["f32[2,3]"] }) },
  {
    title: "+2(d),(d)->()  dot product, at most two batch dims",
    q: question("+2(d),(d)->()", { inputs: ["f32[1,5,3]", "f32[4,1,3]"] }),
  },
  {
    title: "=2(d),(d)->()  dot product, at most two equal batch dims",
    q: question("=2(d),(d)->()", { inputs: ["f32[4,5,3]", ""], outputs: ["f32[4,n]"] }),
  },
];

const QUESTIONS: Example[] = [
  { title: "matmul: what follows?", q: question("(m,n),(n,p)->(m,p)", { inputs: ["f32[2,3]", "f32[3,4]"] }) },
  {
    title: "matmul, backwards",
    q: question("(m,n),(n,p)->(m,p)", { inputs: ["f32[2,n]", "?"], outputs: ["f32[2,4]"] }),
  },
  { title: "broadcast: all pairs that make this", q: question("+(),()->()", { outputs: ["f32[8,7]"] }) },
  { title: "broadcast, on a condition", q: question("+(),()->()", { inputs: ["f32[n]", "f32[3]"] }) },
  { title: "a conflict, and repairs", q: question("(m,n),(n,p)->(m,p)", { inputs: ["f32[2,3]", "f32[5,4]"] }) },
  { title: "a product of sizes, all numbers", q: question("(a),(b)->(a*b)", { outputs: ["f32[12]"], maxDim: "12" }) },
  {
    title: "stride: which one?",
    q: question("[s] (h),(k)->((h - k)//s + 1)", {
      inputs: ["f32[9]", "f32[3]"],
      outputs: ["f32[4]"],
      attrs: { s: "?" },
    }),
  },
  {
    title: "einsum: attention scores",
    q: question("einsum: bhqd,bhkd->bhqk", { inputs: ["f32[B,8,T,64]", "f32[B,8,S,64]"] }),
  },
  {
    title: "einops: images cut into patches",
    q: question("einops: b (h p) (w q) c -> b (h w) (p q c)", {
      inputs: ["f32[N,224,224,3]"],
      attrs: { p: "16", q: "16" },
    }),
  },
];

const OPERATORS: Example[] = [
  {
    title: "onnx::Conv",
    q: question("onnx::Conv", {
      inputs: ["f32[1,3,224,224]", "f32[64,3,7,7]"],
      attrs: { strides: "[2,2]", pads: "[3,3,3,3]" },
    }),
  },
  {
    title: "onnx::Conv: which image?",
    q: question("onnx::Conv", {
      inputs: ["f32[1,3,?,?]", "f32[64,3,7,7]"],
      outputs: ["f32[1,64,112,112]"],
      attrs: { strides: "[2,2]", pads: "[3,3,3,3]" },
    }),
  },
  {
    title: "onnx::Conv: which strides?",
    q: question("onnx::Conv", {
      inputs: ["f32[1,3,224,224]", "f32[64,3,7,7]"],
      outputs: ["f32[1,64,73,73]"],
      attrs: { strides: "?" },
    }),
  },
  {
    title: "onnx::Reshape with contents",
    q: question("onnx::Reshape", { inputs: ["f32[6,n]", "i64[3] = [n, 2, -1]"] }),
  },
  {
    title: "onnx::Concat: which axis?",
    q: question("onnx::Concat", { inputs: ["f32[2,3]", "f32[2,n]"], outputs: ["f32[2,7]"], attrs: { axis: "?" } }),
  },
  { title: "onnx::Split", q: question("onnx::Split", { inputs: ["f32[7,n]"], attrs: { num_outputs: "3" } }) },
  { title: "onnx::Gather", q: question("onnx::Gather", { inputs: ["f32[V,512]", "i64[B,T]"] }) },
  {
    title: "onnx::Attention",
    q: question("onnx::Attention", { inputs: ["f32[B,8,T,64]", "f32[B,2,S,64]", "f32[B,2,S,64]"] }),
  },
];

export const GROUPS: Group[] = [
  { title: "Questions", examples: QUESTIONS },
  { title: "Operators", examples: OPERATORS },
  { title: "Signatures", examples: LINES },
];
