//! Generates the parsers from the grammar files.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A link to the top-level `grammar/`, so that a packaged crate carries its grammars along.
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .log_quiet()
        .process_dir("grammar")
}
