use kanshape_infer::*;
fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        if line.trim().is_empty() {
            continue;
        }
        let f: Vec<&str> = line.split(';').map(|s| s.trim()).collect();
        println!("## {line}");
        let sig: Signature = match f[0].parse() {
            Ok(s) => s,
            Err(e) => {
                println!("{e}");
                continue;
            }
        };
        let mut q = sig.query();
        let mut n = 8;
        for a in &f[1..] {
            let (k, v) = a.split_once('=').unwrap();
            match k {
                "i" => {
                    let ts: Result<Vec<_>, _> = v.split('|').map(|t| t.trim().parse()).collect();
                    match ts {
                        Ok(t) => q = q.inputs(t),
                        Err(e) => println!("{e}"),
                    }
                }
                "o" => {
                    let ts: Vec<_> = v.split('|').map(|t| t.trim().parse().unwrap()).collect();
                    q = q.outputs(ts);
                }
                "p" => {
                    let (l, x) = v.split_once(':').unwrap();
                    q = q.param(l, x.parse::<kanshape_types::Dim>().unwrap());
                }
                "w" => {
                    q = q.given(kanshape_syntax::parse_condition(v).unwrap().node);
                }
                "maxdim" => q = q.max_dim(v.parse().unwrap()),
                "maxrank" => q = q.max_rank(v.parse().unwrap()),
                "n" => n = v.parse().unwrap(),
                "slow" => q = q.without_shortcut(),
                _ => panic!(),
            }
        }
        q = q.limit(n);
        let t = std::time::Instant::now();
        match q.solve() {
            Err(e) => println!("{e}"),
            Ok(mut a) => {
                let v = a.verdict();
                let all: Vec<_> = a.by_ref().collect();
                for x in &all {
                    println!("   {x}");
                }
                println!("  {v} complete={} {:?}", a.complete(), t.elapsed());
            }
        }
    }
}
