//! What models of real products are made of: readers of text, speech, detectors, transformers.

use super::text::finds;

const SMALL: &[&[(&str, u64)]] = &[
    &[("N", 2), ("H", 64), ("W", 96), ("T", 50)],
    &[("N", 1), ("H", 33), ("W", 70), ("T", 129)],
];

/// Features are sampled up to the size of finer ones, by scales that are calculated or by a size.
#[test]
fn features_are_resized_to_those_they_are_added_to() {
    let text = "
        x: f32[N, 16, H, W]
        w: f32[32, 16, 3, 3]
        down = Conv(x, w) strides=[2,2] pads=[1,1,1,1]
        s = Shape(x)
        hw = Slice(s, i64[1] = [2], i64[1] = [4], i64[1] = [0])
        d = Shape(down)
        nc = Slice(d, i64[1] = [0], i64[1] = [2], i64[1] = [0])
        sizes = Concat(nc, hw) axis=0
        up = Resize(down, -, -, sizes) mode=nearest
        both = Concat(x, up) axis=1
    ";
    finds(text, "down", "f32[N, 32, ceil(H/2), ceil(W/2)]", SMALL);
    finds(text, "both", "f32[N, 48, H, W]", SMALL);
}

/// A line of text becomes a sequence: the height is pooled away, the width is time.
#[test]
fn a_line_of_text_is_a_sequence() {
    let text = "
        x: f32[N, 3, 32, W]
        w: f32[64, 3, 3, 3]
        c = Conv(x, w) pads=[1,1,1,1] strides=[1,1]
        p = MaxPool(c) kernel_shape=[2,2] strides=[2,2]
        q = AveragePool(p) kernel_shape=[16,2] strides=[16,2]
        flat = Squeeze(q, i64[1] = [2])
        time = Transpose(flat) perm=[2,0,1]
        lw: f32[2, 192, 64]
        lr: f32[2, 192, 48]
        y, h, c2 = LSTM(time, lw, lr) hidden_size=48 direction=bidirectional
        turned = Transpose(y) perm=[0,2,1,3]
        out = Reshape(turned, i64[3] = [0, 0, -1])
        best = ArgMax(out) axis=2 keepdims=0
    ";
    finds(text, "y", "f32[W//4, 2, N, 48]", SMALL);
    finds(text, "out", "f32[W//4, N, 96]", SMALL);
    finds(text, "best", "i64[W//4, N]", SMALL);
}

/// Boxes of a detector: those that are left after suppression are picked.
#[test]
fn what_is_left_of_boxes_is_picked() {
    let text = "
        boxes: f32[1, T, 4]
        scores: f32[1, 80, T]
        picked = NonMaxSuppression(boxes, scores, i64[1] = [100], f32[1] = [0.5], f32[1] = [0.1])
        which = Gather(picked, i64[] = [2]) axis=1
        flat = Squeeze(boxes, i64[1] = [0])
        left = Gather(flat, which) axis=0
        found = Gather(picked, i64[1] = [1]) axis=1
    ";
    finds(text, "left", "f32[d0, 4]", &[]);
    finds(text, "found", "i64[d0, 1]", &[]);
}

/// The places of a grid, in floats, and the centres of anchors.
#[test]
fn anchors_stand_on_a_grid() {
    let text = "
        x: f32[N, 8, H, W]
        s = Shape(x)
        h = Gather(s, i64[] = [2])
        w = Gather(s, i64[] = [3])
        hf = Cast(h) to=1
        wf = Cast(w) to=1
        ys = Range(f32[] = [0.0], hf, f32[] = [1.0])
        xs = Range(f32[] = [0.0], wf, f32[] = [1.0])
        y2 = Unsqueeze(ys, i64[1] = [1])
        h1 = Unsqueeze(h, i64[1] = [0])
        w1 = Unsqueeze(w, i64[1] = [0])
        hw = Concat(h1, w1) axis=0
        ye = Expand(y2, hw)
        xe = Expand(xs, hw)
        y3 = Unsqueeze(ye, i64[1] = [2])
        x3 = Unsqueeze(xe, i64[1] = [2])
        grid = Concat(x3, y3) axis=2
        flat = Reshape(grid, i64[2] = [-1, 2])
    ";
    finds(text, "grid", "f32[H, W, 2]", SMALL);
    finds(text, "flat", "f32[H*W, 2]", SMALL);
}

/// Frames of speech: the length after two convolutions, and a mask of it.
#[test]
fn frames_of_speech_get_fewer() {
    let text = "
        x: f32[N, 80, T]
        w: f32[512, 80, 3]
        c = Conv(x, w) kernel_shape=[3] strides=[2] pads=[1,1]
        frames = Transpose(c) perm=[0,2,1]
        lengths: i64[N]
        one = Add(lengths, i64[] = [1])
        half = Div(one, i64[] = [2])
        s = Shape(frames)
        t = Gather(s, i64[] = [1])
        r = Range(i64[] = [0], t, i64[] = [1])
        r1 = Unsqueeze(r, i64[1] = [0])
        l1 = Unsqueeze(half, i64[1] = [1])
        mask = Less(r1, l1)
        not = Not(mask)
        n4 = Unsqueeze(not, i64[2] = [1, 2])
        heads: f32[512, 512]
        q = MatMul(frames, heads)
        split = Reshape(q, i64[4] = [0, 0, 8, 64])
        qt = Transpose(split) perm=[0,2,1,3]
        kt = Transpose(split) perm=[0,2,3,1]
        scores = MatMul(qt, kt)
        masked = Where(n4, f32[] = [-1.0], scores)
    ";
    finds(text, "mask", "bool[N, ceil(T/2)]", SMALL);
    finds(text, "masked", "f32[N, 8, ceil(T/2), ceil(T/2)]", SMALL);
}

/// Keys of the steps before, and of this one.
#[test]
fn the_past_goes_before_the_present() {
    let text = "
        past: f32[N, 8, P, 64]
        ids: i64[N, T]
        table: f32[1000, 512]
        x = Gather(table, ids)
        split = Reshape(x, i64[4] = [0, 0, 8, 64])
        k = Transpose(split) perm=[0,2,1,3]
        all = Concat(past, k) axis=2
        s = Shape(all)
        long = Slice(s, i64[1] = [2], i64[1] = [3])
        ks = Shape(k)
        now = Slice(ks, i64[1] = [2], i64[1] = [3])
        before = Sub(long, now)
        triangle: bool[1, 1, 1024, 1024]
        rows = Slice(triangle, before, long, i64[1] = [2])
        mask = Slice(rows, i64[1] = [0], long, i64[1] = [3])
        at = Transpose(all) perm=[0,1,3,2]
        scores = MatMul(k, at)
    ";
    finds(text, "scores", "f32[N, 8, T, P + T]", &[]);
    finds(text, "before", "i64[1] = [P]", &[]);
    finds(
        text,
        "mask",
        "bool[1, 1, max(min(P + T, 1024) - P, 0), min(P + T, 1024)]",
        &[],
    );
}

/// Windows of an image, as in hierarchical transformers.
#[test]
fn an_image_is_cut_into_windows() {
    let text = "
        x: f32[N, H, W, 96]
        s = Shape(x)
        n = Gather(s, i64[] = [0])
        h = Gather(s, i64[] = [1])
        w = Gather(s, i64[] = [2])
        hd = Div(h, i64[] = [8])
        wd = Div(w, i64[] = [8])
        hm = Mul(hd, i64[] = [8])
        wm = Mul(wd, i64[] = [8])
        n1 = Unsqueeze(n, i64[1] = [0])
        h1 = Unsqueeze(hd, i64[1] = [0])
        w1 = Unsqueeze(wd, i64[1] = [0])
        he = Unsqueeze(hm, i64[1] = [0])
        we = Unsqueeze(wm, i64[1] = [0])
        ends = Concat(he, we) axis=0
        cut = Slice(x, i64[2] = [0, 0], ends, i64[2] = [1, 2])
        to = Concat(n1, h1, i64[1] = [8], w1, i64[1] = [8], i64[1] = [96]) axis=0
        six = Reshape(cut, to)
        turned = Transpose(six) perm=[0,1,3,2,4,5]
        y = Reshape(turned, i64[4] = [-1, 8, 8, 96])
        mean = ReduceMean(y, i64[1] = [-1])
        scale: f32[96]
        norm = LayerNormalization(y, scale)
    ";
    finds(text, "cut", "f32[N, 8*(H//8), 8*(W//8), 96]", SMALL);
    finds(text, "turned", "f32[N, H//8, W//8, 8, 8, 96]", SMALL);
    finds(text, "norm", "f32[N*(H//8)*(W//8), 8, 8, 96]", SMALL);
}

/// A product of which first one factor and then the whole is given: what holds between them is not forgotten.
#[test]
fn a_size_has_to_be_a_multiple_of_what_it_is_made_of() {
    let text = "op Scale \"[s] (h)->(s*h) where s >= 1\"";
    let relations = kanshape::Relations::load_str("scale.kan", text).unwrap();
    let operator = relations.operator("Scale", None).unwrap();
    let mut graph = kanshape::graph::Graph::new(&relations);
    let x = graph.value(&"f32[?]".parse().unwrap()).unwrap();
    let call = graph.call(&operator, vec![], &[true], &[true]).unwrap();
    let (_, outputs) = graph.add(call, &[x]);
    let y = outputs.get(0).unwrap();
    graph.assume(x, &"f32[16]".parse().unwrap()).unwrap();
    assert_eq!(graph.ty(y).to_string(), "f32[16*d0]");
    assert!(
        graph
            .clone()
            .assume(y, &"f32[42]".parse().unwrap())
            .is_err()
    );
    assert!(graph.assume(y, &"f32[48]".parse().unwrap()).is_ok());
}
