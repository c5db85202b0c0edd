//! What the words of StableHLO's own form are called as attributes.

use super::attribute::Attribute;
use super::{Mark, Piece, PieceKind};

/// What an attribute is called that is written under this key in an operation.
pub(super) fn attribute_name<'k>(op: &str, key: &'k str) -> &'k str {
    match (op, key) {
        ("broadcast_in_dim" | "dynamic_broadcast_in_dim", "dims") => "broadcast_dimensions",
        ("transpose", "dims") => "permutation",
        ("reverse", "dims") => "dimensions",
        ("iota" | "dynamic_iota", "dim") => "iota_dimension",
        ("concatenate" | "get_dimension_size" | "set_dimension_size", "dim") => "dimension",
        ("pad", "low") => "edge_padding_low",
        ("pad", "high") => "edge_padding_high",
        ("pad", "interior") => "interior_padding",
        ("dynamic_slice", "sizes") => "slice_sizes",
        ("broadcast", "sizes") => "broadcast_sizes",
        ("dot" | "dot_general", "precision") => "precision_config",
        ("fft", "type") => "fft_type",
        ("fft", "length") => "fft_length",
        ("rng", "distribution") => "rng_distribution",
        ("rng_bit_generator", "algorithm") => "rng_algorithm",
        ("convolution" | "dynamic_conv", "stride") => "window_strides",
        ("convolution" | "dynamic_conv", "pad") => "padding",
        ("convolution" | "dynamic_conv", "lhs_dilate") => "lhs_dilation",
        ("convolution" | "dynamic_conv", "rhs_dilate") => "rhs_dilation",
        ("convolution" | "dynamic_conv", "reverse") => "window_reversal",
        (_, key) => key,
    }
}

type Named = Vec<(Box<str>, Attribute)>;

/// `[0] x [1]`: an attribute of either operand.
pub(super) fn of_both(key: &str, pieces: &[Piece], text: &str) -> Option<Named> {
    let key = match key {
        "batching_dims" => "batching_dimensions",
        "contracting_dims" => "contracting_dimensions",
        _ => return None,
    };
    let [left, _x, right] = pieces else {
        return None;
    };
    let read = |piece: &Piece| super::attribute::read(text, std::slice::from_ref(piece));
    Some(vec![
        (format!("lhs_{key}").into(), read(left)),
        (format!("rhs_{key}").into(), read(right)),
    ])
}

/// `[1:4, 0:8:2]`: where a slice begins and ends, and its strides.
pub(super) fn slice_bounds(members: &[Piece], text: &str) -> Named {
    let (mut starts, mut limits, mut strides) = (Vec::new(), Vec::new(), Vec::new());
    for member in members.split(|p| matches!(p.kind, PieceKind::Mark(Mark::Comma))) {
        let numbers = member
            .iter()
            .filter(|p| matches!(p.kind, PieceKind::Number));
        let numbers: Vec<Attribute> = numbers
            .map(|p| super::attribute::read(text, std::slice::from_ref(p)))
            .collect();
        let mut numbers = numbers.into_iter();
        let (Some(start), Some(limit)) = (numbers.next(), numbers.next()) else {
            continue;
        };
        starts.push(start);
        limits.push(limit);
        strides.push(numbers.next().unwrap_or(Attribute::Int(1)));
    }
    vec![
        ("start_indices".into(), Attribute::List(starts)),
        ("limit_indices".into(), Attribute::List(limits)),
        ("strides".into(), Attribute::List(strides)),
    ]
}

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`: the axes of a convolution.
pub(super) fn convolution_axes(text: &str, pieces: &[Piece]) -> Option<Named> {
    let lists: Vec<&[Piece]> = pieces
        .iter()
        .filter_map(|piece| match &piece.kind {
            PieceKind::List(members) => Some(&members[..]),
            _ => None,
        })
        .collect();
    let [input, kernel, output] = lists[..] else {
        return None;
    };
    let mut named = Vec::new();
    for (of, members, [first, second]) in [
        ("input", input, [("b", "batch"), ("f", "feature")]),
        (
            "kernel",
            kernel,
            [("i", "input_feature"), ("o", "output_feature")],
        ),
        ("output", output, [("b", "batch"), ("f", "feature")]),
    ] {
        let axes = axes(text, members);
        let place = |letter: &str| axes.iter().position(|axis| *axis == letter);
        for (letter, name) in [first, second] {
            let axis = i64::try_from(place(letter)?).ok()?;
            let name = format!("{of}_{name}_dimension");
            named.push((name.into(), Attribute::Int(axis)));
        }
        let mut spatial = Vec::new();
        while let Some(axis) = place(&spatial.len().to_string()) {
            spatial.push(Attribute::Int(i64::try_from(axis).ok()?));
        }
        if spatial.len() + 2 != axes.len() {
            return None;
        }
        let name = format!("{of}_spatial_dimensions");
        named.push((name.into(), Attribute::List(spatial)));
    }
    Some(named)
}

/// The members of a list as they are written.
fn axes<'t>(text: &'t str, members: &[Piece]) -> Vec<&'t str> {
    let members = members
        .iter()
        .filter(|piece| !matches!(piece.kind, PieceKind::Mark(_)));
    let written = |piece: &Piece| text.get(piece.span.start..piece.span.end);
    members.filter_map(written).collect()
}
