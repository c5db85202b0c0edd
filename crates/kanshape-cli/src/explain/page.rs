//! The pages of the codes, `docs/codes/`, within the program; by a link, so that the packed crate has them. A test knows if one is missing.

/// A table of the pages of these codes.
macro_rules! pages {
    ($($code:literal)*) => {
        &[$(($code, include_str!(concat!("../../codes/", $code, ".md")))),*]
    };
}

/// The page of a code, in Markdown.
pub(super) fn of(code: &str) -> &'static str {
    let page = PAGES.iter().find(|(known, _)| *known == code);
    page.map_or("", |(_, page)| page)
}

#[rustfmt::skip]
const PAGES: &[(&str, &str)] = pages! {
    "K0001" "K0002" "K0003" "K0004" "K0005" "K0006" "K0007" "K0008"
    "K0009" "K0010" "K0011" "K0012" "K0013" "K0014" "K0015" "K0016"
    "K0021" "K0022" "K0023" "K0024" "K0025" "K0026" "K0027" "K0028" "K0029"
    "K0030" "K0031" "K0032" "K0033" "K0034" "K0035" "K0036" "K0037" "K0040" "K0041"
    "K0042" "K0043" "K0044" "K0045" "K0046" "K0047" "K0048" "K0049"
    "K0050" "K0051" "K0052" "K0053" "K0054" "K0055" "K0056" "K0101" "K0102" "K0103" "K0104"
    "K0201" "K0202" "K0203" "K0204" "K0205" "K0206" "K0207" "K0208"
    "K0209" "K0210" "K0211" "K0220" "K0221" "K0222" "K0230" "K0231"
    "K0232" "K0233" "K0234" "K0235" "K0236" "K0301" "K0302" "K0303" "K0304" "K0310"
    "K0311" "K0312" "K0313" "K0314" "K0315" "K0316" "K0317" "K0318"
    "K0319" "K0320" "K0321" "K0330" "K0331" "K0332" "K0333" "K0334" "K0335" "K0336"
    "K0337" "K0339" "K0340" "K0341" "K0342" "K0343" "K0344" "K0345"
    
    "K0410" "K0501" "K0502" "K0503" "K0504" "K0505"
    "K0506" "K0507" "K0508" "K0510" "K0511" "K0512" "K0513"
    "K0514" "K0515" "K0516" "K0517" "K0518" "K0519" "K0520" "K0599" "K0601" "K0602" "K0603"
    "K0604" "K0605" "K0606" "K0607" "K0608" "K0609" "K0610" "K0611"
    "K0612" "K0613" "K0614" "K0615" "K0616" "K0617" "K0618" "K0619" "K0701" "K0702"
    "K0703" "K0704" "K0705" "K0706" "K0801" "K0802" "K0803" "K0804" "K0805" "K0806" "K0807"
    "K0808" "K0809" "K0810" "K0811" "K0812" "K0813" "K0814" "K0815"
};
