//! Whole models, from bytes to every type: kanshape beside `onnx.shape_inference`.
//!
//! `cargo bench -p kanshape-onnx --bench models` sets up the peer, runs both in turns and prints their CPU times and
//! the ratios. `-- --alone` does without the peer, `-- NAME` takes the models whose names have this in them.
#![allow(clippy::unwrap_used, clippy::print_stdout, missing_docs)]

mod chain;
mod clock;
mod peer;

use chain::chain;
use kanshape::{Relations, catalog};
use kanshape_onnx::{Model, Options, check};
use mimalloc::MiMalloc;
use peer::{Peer, Taken};
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// That of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

/// The models that are measured, in a folder of test data.
const MODELS: [&str; 9] = [
    "light_bvlc_alexnet",
    "light_densenet121",
    "light_inception_v1",
    "light_inception_v2",
    "light_resnet50",
    "light_shufflenet",
    "light_squeezenet",
    "light_vgg19",
    "light_zfnet512",
];

/// How long chains are, in operators.
const CHAINS: [usize; 5] = [100, 1_000, 10_000, 100_000, 1_000_000];

/// The best of this many rounds counts; of models that take long there are fewer.
const ROUNDS: usize = 9;

/// So often kanshape is to fit into the time of the peer's C++, on each model.
const WANTED: f64 = 8.0;
/// So many microseconds an operator of a chain is to take.
const WANTED_OF_CHAIN: f64 = 0.25;

/// A model to be measured.
struct Work {
    name: String,
    path: PathBuf,
    bytes: Vec<u8>,
}

/// What has been measured, in seconds of CPU time.
struct Row {
    name: String,
    operators: usize,
    /// How many times a node was solved by search.
    solved: usize,
    /// The first model that uses the catalog.
    first: f64,
    /// Any other time.
    ours: f64,
    peer: Option<Taken>,
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let has = |flag: &str| args.iter().any(|arg| arg == flag);
    if has("--test") {
        // `cargo test --benches`: it is enough that it compiles.
        return;
    }
    let wanted = args.iter().find(|arg| !arg.starts_with('-'));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let mut peer = (!has("--alone")).then(|| Peer::start(folder).unwrap());
    println!("The least CPU time of {ROUNDS} rounds, from bytes to every type, in us an operator.");
    if let Some(peer) = &peer {
        println!(
            "Beside onnx {}: `infer_shapes` from Python, its C++ alone,",
            peer.version
        );
        println!("the same without data propagation; and how often kanshape fits into each.");
    }
    println!(
        "Wanted: {WANTED}x beside C++ on each model; {WANTED_OF_CHAIN} us an operator of a chain."
    );
    println!();
    heading(peer.is_some());
    let is_wanted = |name: &String| wanted.is_none_or(|part| name.contains(part.as_str()));
    for work in work(folder).filter(|(name, _)| is_wanted(name)) {
        measure(work.1(), peer.as_mut()).print();
    }
}

/// What is measured, each made when it is its turn.
fn work(folder: &Path) -> impl Iterator<Item = (String, Box<dyn FnOnce() -> Work>)> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/models");
    let models = MODELS.into_iter().map(move |name| {
        let path = data.join(format!("{name}.onnx"));
        let make = move || Work {
            name: name.into(),
            bytes: std::fs::read(&path).unwrap(),
            path,
        };
        (name.to_owned(), Box::new(make) as Box<dyn FnOnce() -> Work>)
    });
    let chains = ["8", "N"]
        .into_iter()
        .flat_map(|batch| CHAINS.map(|n| (n, batch)));
    let folder = folder.to_path_buf();
    let chains = chains.map(move |(operators, batch)| {
        let name = format!("chain of {operators}, f32[{batch}, 4]");
        let path = folder.join("chain.onnx");
        let own = name.clone();
        let make = move || {
            let bytes = chain(operators, batch);
            std::fs::write(&path, &bytes).unwrap();
            Work {
                name: own,
                path,
                bytes,
            }
        };
        (name, Box::new(make) as Box<dyn FnOnce() -> Work>)
    });
    models.chain(chains)
}

/// Measures both in turns, so that what else the machine does hits both.
fn measure(work: Work, mut peer: Option<&mut Peer>) -> Row {
    let options = Options::default();
    let (operators, solved) = check_all(&work);
    let mut row = Row {
        operators,
        solved,
        name: work.name,
        first: (0..3)
            .map(|_| first(&work.bytes))
            .fold(f64::INFINITY, f64::min),
        ours: f64::INFINITY,
        peer: None,
    };
    let rounds = match row.operators {
        ..200_000 => ROUNDS,
        _ => 3,
    };
    for _ in 0..rounds {
        let ours = clock::seconds(|| {
            let model = Model::read(black_box(&work.bytes)).unwrap();
            black_box(check(&model, &options));
        });
        row.ours = row.ours.min(ours);
        if let Some(peer) = &mut peer {
            let taken = peer.ask(&work.path).unwrap();
            row.peer = Some(row.peer.map_or(taken, |before| before.min(taken)));
        }
    }
    row
}

/// The same where the catalog has not been used before.
fn first(bytes: &[u8]) -> f64 {
    let options = Options {
        relations: Some(Relations::load(catalog::FILES.iter().copied()).unwrap()),
        ..Options::default()
    };
    clock::once(|| {
        let model = Model::read(black_box(bytes)).unwrap();
        black_box(check(&model, &options));
    })
}

/// Is everything typed? Returns how many operators there are, and how many times one was solved by search.
fn check_all(work: &Work) -> (usize, usize) {
    let model = Model::read(&work.bytes).unwrap();
    let report = check(&model, &Options::default());
    assert!(
        report.problems.is_empty(),
        "{}: {:?}",
        work.name,
        report.problems
    );
    assert!(
        report.untyped.is_empty(),
        "{}: {:?}",
        work.name,
        report.untyped
    );
    for (value, ty) in &report.values {
        let dims = ty.as_tensor().map(|t| t.shape.run());
        assert_eq!(dims, Some(None), "{}: {value}: {ty}", work.name);
    }
    (model.nodes(), report.solved)
}

fn heading(beside: bool) {
    print!("| {:28} | operators | solved | kanshape |  first |", "");
    if beside {
        print!("   Python |       |    C++ |       | no data |       |");
    }
    print!("\n|{:-<30}|----------:|-------:|---------:|-------:|", "");
    if beside {
        print!("---------:|------:|-------:|------:|--------:|------:|");
    }
    println!();
}

impl Row {
    fn print(&self) {
        let each = |seconds: f64| seconds * 1e6 / self.operators as f64;
        print!(
            "| {:28} | {:9} | {:6} | {:8.3} | {:6.2} |",
            self.name,
            self.operators,
            self.solved,
            each(self.ours),
            each(self.first),
        );
        if let Some(peer) = &self.peer {
            for (width, taken) in [(8, peer.whole), (6, peer.native), (7, peer.without_data)] {
                print!(" {:width$.2} | {:4.1}x |", each(taken), taken / self.ours);
            }
        }
        println!();
    }
}
