//! Where both types are concrete, nothing is allocated.

use allocation_counter::measure;
use kanshape::order::{is_super, meet};
use kanshape::{Type, Verdict, shorthand::f32s};
use std::hint::black_box;

#[test]
fn concrete_types_of_rank_four_cost_no_memory() {
    let (a, b) = (f32s([8, 3, 224, 224]), f32s([8, 3, 224, 224]));
    let open: Type = "f32[?, 3, ?, ?]".parse().unwrap();
    let tested = measure(|| {
        assert_eq!(is_super(black_box(&a), black_box(&b)), Verdict::Always);
        assert_eq!(is_super(black_box(&open), black_box(&b)), Verdict::Always);
        assert_eq!(is_super(black_box(&b), black_box(&open)), Verdict::Never);
    });
    assert_eq!(tested.count_total, 0);
    let met = measure(|| {
        assert_eq!(meet(black_box(&a), black_box(&b)).as_ref(), Ok(&a));
        assert_eq!(meet(black_box(&open), black_box(&b)).as_ref(), Ok(&b));
    });
    assert_eq!(met.count_total, 0);
}
