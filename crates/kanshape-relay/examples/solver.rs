use kanshape_relay::solve::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let s = |v: &serde_json::Value| v.as_str().unwrap().to_string();
        let id = s(&row["id"]);
        print!("{id}: want {}  GOT ", row["expect"]);
        match row["kind"].as_str().unwrap() {
            "unify" | "relation" => {
                let eq: Vec<(String, String)> = row["equations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|e| (s(&e[0]), s(&e[1])))
                    .collect();
                let rel: Vec<Stated> = row["relations"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|r| Stated {
                        name: s(&r["name"]),
                        args: r["args"].as_array().unwrap().iter().map(s).collect(),
                    })
                    .collect();
                let r = solve(kanshape::catalog(), &eq, &rel);
                println!(
                    "{} holes {:?} dims {:?} waiting {:?} unified {:?} {:?}",
                    r.verdict,
                    r.holes
                        .iter()
                        .map(|(n, t)| format!("{n}={t}"))
                        .collect::<Vec<_>>(),
                    r.dims,
                    r.waiting,
                    r.unified.map(|u| u.to_string()),
                    r.problem.map(|p| (p.kind.name(), p.diagnostic.headline))
                );
            }
            "kind" => {
                let adts: Vec<(String, usize)> = row["adts"]
                    .as_object()
                    .map(|o| {
                        o.iter()
                            .map(|(k, v)| (k.clone(), v.as_u64().unwrap() as usize))
                            .collect()
                    })
                    .unwrap_or_default();
                match kind_of(row["type"].as_str().unwrap(), &adts) {
                    Ok(k) => println!("{}", k.name()),
                    Err(p) => println!("{} {}", p.kind.name(), p.diagnostic.headline),
                }
            }
            "exhaustiveness" => {
                let adts: Vec<_> = row["adts"]
                    .as_object()
                    .unwrap()
                    .iter()
                    .map(|(k, v)| {
                        (
                            k.clone(),
                            v.as_array()
                                .unwrap()
                                .iter()
                                .map(|c| {
                                    let c = s(c);
                                    let (a, b) = c.split_once('/').unwrap();
                                    (a.to_string(), b.parse().unwrap())
                                })
                                .collect(),
                        )
                    })
                    .collect();
                let pats: Vec<String> = row["patterns"].as_array().unwrap().iter().map(s).collect();
                match missing(&pats, &adts) {
                    Ok(m) => println!("{:?}", m.iter().map(|p| p.to_string()).collect::<Vec<_>>()),
                    Err(p) => println!("{} {}", p.kind.name(), p.diagnostic.headline),
                }
            }
            k => println!("?? {k}"),
        }
    }
}
