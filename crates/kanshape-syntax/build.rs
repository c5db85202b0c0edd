//! Generates the parsers from the grammar files.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The directives of the generator name the grammars that there are; a new one counts as well.
    println!("cargo::rerun-if-changed=grammar");
    // A link to the top-level `grammar/`, so that a packaged crate carries its grammars along.
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .log_quiet()
        .process_dir("grammar")
}
