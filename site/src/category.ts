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

/** Those of torch. */
const ATEN: Record<string, string> = {
  layer:
    "conv1d conv2d conv3d convolution conv_transpose1d conv_transpose2d linear addmm mm bmm baddbmm matmul einsum scaled_dot_product_attention lstm gru embedding",
  activation:
    "relu gelu silu sigmoid softmax log_softmax tanh hardtanh hardsigmoid hardswish leaky_relu elu mish softplus dropout clamp",
  pool: "max_pool1d max_pool2d max_pool3d avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d upsample_nearest2d upsample_bilinear2d",
  norm: "batch_norm layer_norm group_norm instance_norm rms_norm native_layer_norm",
  shape:
    "view reshape permute transpose t flatten unflatten cat stack split chunk slice select squeeze unsqueeze expand expand_as repeat pad constant_pad_nd roll gather index index_select masked_fill clone contiguous to detach type_as unbind narrow",
  reduce: "sum mean amax amin max min argmax argmin cumsum topk prod std var any all norm",
  constant: "parameter zeros ones full arange zeros_like ones_like full_like empty scalar_tensor",
  math: "add sub mul div neg abs exp log sqrt rsqrt pow reciprocal maximum minimum eq ne lt le gt ge logical_and logical_or logical_not where sin cos floor rsub",
};

const BY_OP = new Map(
  [OPS, ATEN].flatMap((all) =>
    Object.entries(all).flatMap(([kind, ops]) => ops.split(" ").map((op) => [op.toLowerCase(), kind] as const)),
  ),
);

/** The kind of an operator; `other` for one that is in no kind. */
export function category(op: string): string {
  // An operator of torch has an overload behind its name, and one that writes into its operand a `_` at its end.
  const name = (op.split("::").at(-1) ?? op).toLowerCase();
  return BY_OP.get(name) ?? BY_OP.get((name.split(".")[0] ?? name).replace(/_$/, "")) ?? "other";
}
