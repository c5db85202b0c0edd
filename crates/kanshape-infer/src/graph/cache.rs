//! [`Cache`]: what has been found out of calls and types. It is good for a graph and all of its clones, and then for
//! the next graph of the same relations.

use super::CallId;
use super::apply::CallOutcome;
use super::believed::Settled;
use super::call::{CallKey, PreparedCall};
use super::table::{Table, TypeId};
use crate::explain::Fact;
use crate::limits::MAX_CACHED;
use kanshape_diag::Diagnostic;
use kanshape_engine::{Forms, stops};
use kanshape_rules::encode::Labels;
use kanshape_types::Type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What has been found out of calls and types.
#[derive(Debug, Default)]
pub(super) struct Cache {
    pub table: Table,
    pub calls: Vec<Arc<PreparedCall>>,
    numbers: FxHashMap<CallKey, CallId>,
    /// Calls by what whoever builds graphs knows them by.
    pub recalled: FxHashMap<Box<[u8]>, CallId>,
    /// The numbers of the types that are no integers.
    pub forms: Forms,
    /// What calls come to, by the types of their inputs.
    pub outcomes: FxHashMap<(CallId, SmallVec<[TypeId; 4]>), Arc<CallOutcome>>,
    /// The numbers of types that are declared.
    declared: FxHashMap<Type, u32>,
    /// What calls come to on inputs of these types with outputs that are declared so, where what is declared is believed.
    pub believed: FxHashMap<DeclaredCall, Arc<Settled>>,
    /// Why calls on inputs of these types can't be; nothing where they could be by themselves.
    pub whys: FxHashMap<(CallId, Vec<Type>), Option<Why>>,
}

/// A call, the types of its inputs, and the numbers of the types that are declared of its outputs.
pub(super) type DeclaredCall = (CallId, SmallVec<[TypeId; 4]>, SmallVec<[u32; 2]>);

/// Why a call can't be.
#[derive(Clone, Debug)]
pub(super) struct Why {
    pub diagnostic: Diagnostic,
    /// What of its inputs can't hold together.
    pub facts: Vec<Fact>,
    /// What is certain of its outputs whatever of that is wrong: empty if nothing is.
    pub outputs: Vec<Type>,
}

/// The caches of relations that no graph uses.
///
/// There are never more than there were graphs at one time, and none of them is large.
#[derive(Debug, Default)]
pub(super) struct CachePool(Mutex<Vec<Cache>>);

/// A cache that a graph and its clones use. It is returned to the pool on drop.
#[derive(Debug)]
pub(super) struct PooledCache {
    cache: Mutex<Cache>,
    pool: Arc<CachePool>,
    /// How often the thread had been stopped by the end of an entry when the graph was made.
    stops: u64,
}

impl Cache {
    fn new(labels: Labels) -> Cache {
        Cache {
            table: Table::new(labels),
            ..Cache::default()
        }
    }

    /// The number of a call, which is prepared if that has not been done.
    ///
    /// # Errors
    /// As [`Graph::call`](super::Graph::call).
    pub(super) fn call(
        &mut self,
        call: CallKey,
        prepare: impl FnOnce(&CallKey) -> Result<PreparedCall, Diagnostic>,
    ) -> Result<CallId, Diagnostic> {
        if let Some(id) = self.numbers.get(&call) {
            return Ok(*id);
        }
        let id = CallId(self.calls.len() as u32);
        self.calls.push(Arc::new(prepare(&call)?));
        self.numbers.insert(call, id);
        Ok(id)
    }

    /// The numbers of types that are declared.
    pub(super) fn declared(&mut self, types: &[Type]) -> SmallVec<[u32; 2]> {
        let number = |ty| match self.declared.get(ty) {
            Some(number) => *number,
            None => {
                let number = self.declared.len() as u32;
                self.declared.insert(ty.clone(), number);
                number
            }
        };
        types.iter().map(number).collect()
    }

    fn is_small(&self) -> bool {
        let found = self.outcomes.len() + self.whys.len() + self.forms.len();
        let found = found + self.believed.len() + self.declared.len();
        found + self.calls.len() + self.recalled.len() + self.table.weight() < MAX_CACHED
    }
}

impl PooledCache {
    /// A cache for a new graph of relations with these labels.
    pub(super) fn from(pool: Arc<CachePool>, labels: &Labels) -> PooledCache {
        let kept = open(&pool.0).pop();
        PooledCache {
            cache: Mutex::new(kept.unwrap_or_else(|| Cache::new(labels.clone()))),
            pool,
            stops: stops(),
        }
    }

    pub(super) fn open(&self) -> MutexGuard<'_, Cache> {
        open(&self.cache)
    }
}

impl Drop for PooledCache {
    fn drop(&mut self) {
        let cache = self.cache.get_mut().unwrap_or_else(PoisonError::into_inner);
        // What was given up because time was over is not known of another graph.
        let was_stopped = stops() != self.stops;
        if cache.is_small() && !was_stopped && !std::thread::panicking() {
            open(&self.pool.0).push(std::mem::take(cache));
        }
    }
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What a panicking owner left behind is still true.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
