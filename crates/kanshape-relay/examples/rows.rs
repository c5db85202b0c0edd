use kanshape_relay::Program;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let only = std::env::args().nth(2);
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let id = row["id"].as_str().unwrap();
        if only.as_deref().is_some_and(|o| !id.contains(o)) {
            continue;
        }
        let text = row["program"].as_str().unwrap();
        let expect = &row["expect"];
        let entry = expect["entry"].as_str().unwrap_or("main");
        let (ty, kind, whole) = match Program::parse("program", text) {
            Err(p) => (
                String::new(),
                p.kind.name().to_string(),
                p.diagnostic.to_string(),
            ),
            Ok(program) => {
                let start = std::time::Instant::now();
                let typing = program.check(kanshape::catalog());
                let t = start.elapsed();
                let g = typing.global(entry);
                let ty = g
                    .map(|g| {
                        format!(
                            "{}{}",
                            g.ty,
                            if g.conditions.is_empty() {
                                String::new()
                            } else {
                                format!(" WHERE {}", g.conditions.join(", "))
                            }
                        )
                    })
                    .unwrap_or_default();
                let kind = typing
                    .problems
                    .first()
                    .map(|p| p.kind.name().to_string())
                    .unwrap_or_default();
                let mut whole: String = typing
                    .problems
                    .iter()
                    .map(|p| p.diagnostic.to_string() + "\n")
                    .collect();
                whole += &format!("verdict {} {:?}", typing.verdict(entry), t);
                (ty, kind, whole)
            }
        };
        let want_ty = expect["type"].as_str().unwrap_or("");
        let want_kind = expect["error_kind"].as_str().unwrap_or("");
        let ok = if expect["ok"].as_bool().unwrap() {
            kind.is_empty() && ty == want_ty
        } else {
            kind == want_kind
        };
        if ok && only.is_none() {
            println!("ok {id}");
            continue;
        }
        println!(
            "-- {id}\n   want {want_ty}{want_kind}   [{}]\n   got  {kind} {ty}\n{whole}",
            row["relational"]
        );
    }
}
