//! The one place that names the persistent collections.

/// A vector whose copies share what neither has changed since.
pub use im::Vector;

/// A set in order whose copies share what neither has changed since.
pub use im::OrdSet;

/// A map whose copies share what neither has changed since, with a fast hasher: its keys are the engine's own numbers.
pub type HashMap<K, V> =
    im::GenericHashMap<K, V, rustc_hash::FxBuildHasher, im::shared_ptr::DefaultSharedPtr>;

/// The members of a vector from a place on, without a visit to those before, as an iterator that skips makes.
pub fn since<T: Clone>(all: &Vector<T>, first: usize) -> impl Iterator<Item = &T> {
    (first..all.len()).map(|i| &all[i])
}

#[cfg(test)]
mod tests {
    use super::Vector;
    use proptest::prelude::*;

    #[derive(Clone, Debug)]
    enum Step {
        Push(u32),
        Set(usize, u32),
        Snapshot,
        Back,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => any::<u32>().prop_map(Step::Push),
            4 => (any::<usize>(), any::<u32>()).prop_map(|(i, x)| Step::Set(i, x)),
            1 => Just(Step::Snapshot),
            1 => Just(Step::Back),
        ]
    }

    proptest! {
        /// The operations that the store uses, against `Vec` as the model, snapshots included.
        #[test]
        fn vector_behaves_like_vec(steps in prop::collection::vec(step(), 0..400)) {
            let mut real: Vector<u32> = Vector::new();
            let mut model: Vec<u32> = Vec::new();
            let mut snapshots = Vec::new();
            for s in steps {
                match s {
                    Step::Push(x) => {
                        real.push_back(x);
                        model.push(x);
                    }
                    Step::Set(i, x) if !model.is_empty() => {
                        let i = i % model.len();
                        real[i] = x;
                        model[i] = x;
                    }
                    Step::Set(..) => {}
                    Step::Snapshot => snapshots.push((real.clone(), model.clone())),
                    Step::Back => if let Some((r, m)) = snapshots.pop() {
                        real = r;
                        model = m;
                    }
                }
                prop_assert_eq!(real.len(), model.len());
                prop_assert!(real.iter().eq(model.iter()));
            }
            for (r, m) in snapshots {
                prop_assert!(r.iter().eq(m.iter()));
            }
        }
    }
}
