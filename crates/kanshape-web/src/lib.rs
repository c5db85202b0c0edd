//! kanshape as WebAssembly: a line of JSON in, a line of JSON out, and the bytes of models in.
//!
//! There is one thread and one [`Batch`]. Whoever embeds it puts bytes into memory that [`reserve`] gives, calls
//! [`answer`], [`typed`] or [`put`], and reads the bytes at [`output`] and [`output_len`]. The only import is a clock,
//! `kanshape.now`, in milliseconds. `site/src/engine.ts` is the other side of it.
//!
//! A panic ends the instance with a trap; the embedder makes a new one.

#![allow(unsafe_code, reason = "functions are exported by their names")]

use std::cell::RefCell;

use kanshape_batch::effort::Effort;
use kanshape_batch::loaded::Loaded;
use kanshape_batch::type_json::TypesAs;
use kanshape_batch::{Batch, Subjects};

/// All that lasts between two calls.
struct Instance {
    batch: Batch,
    subjects: Subjects,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static INSTANCE: RefCell<Instance> = RefCell::new(Instance::new());
}

impl Instance {
    fn new() -> Instance {
        clock::set();
        let batch = Batch::new(Loaded::default(), Effort::default(), TypesAs::Text);
        Instance {
            subjects: batch.subjects(),
            batch,
            input: Vec::new(),
            output: Vec::new(),
        }
    }
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod clock {
    use std::time::Duration;

    #[link(wasm_import_module = "kanshape")]
    unsafe extern "C" {
        safe fn now() -> f64;
    }

    pub(super) fn set() {
        kanshape::clock::set_clock(|| Duration::try_from_secs_f64(now() / 1e3).unwrap_or_default());
    }
}

/// The system has a clock.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock {
    pub(super) fn set() {}
}

/// Makes room for this many bytes of input, and says where they go.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(len: usize) -> *mut u8 {
    INSTANCE.with_borrow_mut(|own| {
        own.input = vec![0; len];
        own.input.as_mut_ptr()
    })
}

/// Answers the line that is in the input.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    INSTANCE.with_borrow_mut(|own| {
        let line = std::mem::take(&mut own.input);
        own.output = own.batch.answer(&line, 1, &mut own.subjects);
    });
}

/// Takes the input as a model, under a name that is its first `name_len` bytes. Without any other bytes, the model of
/// that name is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn put(name_len: usize) {
    INSTANCE.with_borrow_mut(|own| {
        let mut name = std::mem::take(&mut own.input);
        let bytes = name.split_off(name_len.min(name.len()));
        let name = String::from_utf8_lossy(&name);
        match bytes.is_empty() {
            true => own.batch.remove_model(&name),
            false => own.batch.set_model(&name, bytes),
        }
    });
}

/// Writes the model that the line in the input is about with all of its types. 1 if that is the output, 0 if the output is a line
/// that says what is wrong.
#[unsafe(no_mangle)]
pub extern "C" fn typed() -> u32 {
    INSTANCE.with_borrow_mut(|own| {
        let line = std::mem::take(&mut own.input);
        let written = own.batch.typed(&line, &mut own.subjects);
        let is_model = written.is_ok();
        own.output = written.unwrap_or_else(|line| line);
        u32::from(is_model)
    })
}

/// Where the output is, up to the next call.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    INSTANCE.with_borrow(|own| own.output.as_ptr())
}

/// How many bytes the output has.
#[unsafe(no_mangle)]
pub extern "C" fn output_len() -> usize {
    INSTANCE.with_borrow(|own| own.output.len())
}
