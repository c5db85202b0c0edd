//! Nodes in an order in which each stands behind those that it needs.

/// Nodes in order, and those that can't be put in one.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sorted {
    pub order: Vec<u32>,
    /// Nodes that need each other, and those behind them, as they are written.
    pub stuck: Vec<u32>,
}

/// Puts `count` nodes in order. `needs` calls what it is given with each node that a node needs.
///
/// Of the nodes that could be next it is one that has just become free, or the first that is written.
pub(crate) fn sort(count: usize, needs: impl Fn(u32, &mut dyn FnMut(u32))) -> Sorted {
    let nodes = 0..count as u32;
    // Who waits for a node: a list of neighbours, cut by node.
    let mut waiting = vec![0u32; count];
    let mut starts = vec![0u32; count + 1];
    for node in nodes.clone() {
        needs(node, &mut |needed| {
            starts[needed as usize + 1] += 1;
            waiting[node as usize] += 1;
        });
    }
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let mut ends = starts.clone();
    let mut users = vec![0u32; starts[count] as usize];
    for node in nodes.clone() {
        needs(node, &mut |needed| {
            let end = &mut ends[needed as usize];
            users[*end as usize] = node;
            *end += 1;
        });
    }
    let mut order = Vec::with_capacity(count);
    let mut free: Vec<u32> = nodes
        .clone()
        .filter(|n| waiting[*n as usize] == 0)
        .collect();
    free.reverse();
    while let Some(node) = free.pop() {
        order.push(node);
        let (from, to) = (starts[node as usize], starts[node as usize + 1]);
        for user in users[from as usize..to as usize].iter().rev() {
            let left = &mut waiting[*user as usize];
            *left -= 1;
            if *left == 0 {
                free.push(*user);
            }
        }
    }
    Sorted {
        stuck: nodes.filter(|n| waiting[*n as usize] > 0).collect(),
        order,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(count: usize, edges: &[(u32, u32)]) -> Sorted {
        sort(count, |node, needs| {
            let of = edges.iter().filter(|(user, _)| *user == node);
            of.for_each(|(_, needed)| needs(*needed));
        })
    }

    #[test]
    fn each_stands_behind_what_it_needs() {
        let all = sorted(4, &[(0, 2), (2, 3), (1, 0)]);
        assert_eq!((all.order, all.stuck), (vec![3, 2, 0, 1], vec![]));
    }

    #[test]
    fn a_cycle_is_reported() {
        let all = sorted(5, &[(0, 1), (1, 0), (2, 1), (4, 3), (3, 3)]);
        assert_eq!(all.stuck, [0, 1, 2, 3, 4]);
        let one = sorted(2, &[(1, 1)]);
        assert_eq!((one.order, one.stuck), (vec![0], vec![1]));
    }
}
