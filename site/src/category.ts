/** Kinds of operators, so that what a part of a model does is seen from afar. */

const OPS: Record<string, string> = {
  layer:
    "Conv ConvTranspose ConvInteger QLinearConv DeformConv MatMul MatMulInteger QLinearMatMul Gemm LSTM GRU RNN Attention MultiHeadAttention GroupQueryAttention FusedMatMul Einsum",
  activation:
    "Relu LeakyRelu PRelu Elu Celu Selu Gelu Sigmoid HardSigmoid HardSwish Swish Mish Softmax LogSoftmax Hardmax Softplus Softsign Tanh ThresholdedRelu Clip Erf Dropout Silu QuickGelu FastGelu BiasGelu",
  pool: "MaxPool AveragePool GlobalMaxPool GlobalAveragePool LpPool GlobalLpPool MaxUnpool MaxRoiPool RoiAlign Resize Upsample GridSample",
  norm: "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization RMSNormalization LpNormalization LRN MeanVarianceNormalization SkipLayerNormalization SimplifiedLayerNormalization",
  shape:
    "Reshape Transpose Flatten Squeeze Unsqueeze Concat Split Slice Pad Expand Tile Gather GatherElements GatherND ScatterND ScatterElements Scatter DepthToSpace SpaceToDepth Shape Size Identity Cast CastLike ReverseSequence CenterCropPad Compress",
  reduce:
    "ReduceSum ReduceMean ReduceMax ReduceMin ReduceProd ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceSumSquare ArgMax ArgMin TopK CumSum NonZero NonMaxSuppression Unique",
  control:
    "If Loop Scan SequenceMap SequenceAt SequenceConstruct SequenceEmpty SequenceInsert SequenceErase SequenceLength SplitToSequence ConcatFromSequence Optional OptionalGetElement OptionalHasElement",
  constant:
    "Constant ConstantOfShape Range EyeLike OneHot RandomNormal RandomNormalLike RandomUniform RandomUniformLike Bernoulli Multinomial",
  quantize: "QuantizeLinear DequantizeLinear DynamicQuantizeLinear",
  math: "Add Sub Mul Div Mod Neg Abs Exp Log Sqrt Reciprocal Pow Max Min Sum Mean Sin Cos Tan Asin Acos Atan Sinh Cosh Asinh Acosh Atanh Floor Ceil Round Sign Equal Greater GreaterOrEqual Less LessOrEqual And Or Not Xor Where IsNaN IsInf BitShift",
};

const BY_OP = new Map(Object.entries(OPS).flatMap(([kind, ops]) => ops.split(" ").map((op) => [op, kind] as const)));

/** The kind of an operator; `other` for one that is in no kind. */
export function category(op: string): string {
  return BY_OP.get(op.split("::").at(-1) ?? op) ?? "other";
}
