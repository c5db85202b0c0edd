/** What is drawn, as a file: its styles are written into it. */

const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "font-family",
  "font-size",
  "font-weight",
  "font-style",
  "text-anchor",
  "display",
];
/** No side of a picture has more pixels than this: browsers draw no larger ones. */
const MOST = 8192;

/** The text of an SVG. */
export function picture(
  canvas: SVGSVGElement,
  size: { w: number; h: number },
): { svg: string; wide: number; high: number } {
  const [wide, high] = [Math.ceil(size.w), Math.ceil(size.h)];
  const copy = canvas.cloneNode(true) as SVGSVGElement;
  const from = canvas.querySelectorAll<SVGElement>("*");
  copy.querySelectorAll<SVGElement>("*").forEach((node, i) => {
    const own = from[i];
    if (!own) return;
    const style = getComputedStyle(own);
    for (const name of PROPERTIES) node.style.setProperty(name, style.getPropertyValue(name));
    for (const name of ["tabindex", "role", "data-id"]) node.removeAttribute(name);
  });
  for (const name of ["class", "role", "tabindex", "aria-label"]) copy.removeAttribute(name);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${wide} ${high}`);
  copy.setAttribute("width", String(wide));
  copy.setAttribute("height", String(high));
  copy.style.background = getComputedStyle(canvas).backgroundColor;
  return { svg: new XMLSerializer().serializeToString(copy), wide, high };
}

/** An SVG as PNG. */
export async function image(svg: string, wide: number, high: number): Promise<Blob> {
  const scale = Math.min(2, MOST / wide, MOST / high);
  const drawn = new Image();
  // A `blob:` is none of the addresses that the page may draw from.
  drawn.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await drawn.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.floor(wide * scale));
  canvas.height = Math.max(1, Math.floor(high * scale));
  canvas.getContext("2d")?.drawImage(drawn, 0, 0, canvas.width, canvas.height);
  return new Promise<Blob>((done, fail) =>
    canvas.toBlob((png) => (png ? done(png) : fail(new Error("the picture is too large"))), "image/png"),
  );
}
