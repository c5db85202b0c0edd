/** The address is a link to what is shown. Each tab has one of its own, which is in the address bar while the tab is shown. */

const own = new Map<string, string>();
let shown = "";

/** What a tab shows now is this link. */
export function isAt(tab: string, hash: string): void {
  own.set(tab, hash);
  const link = document.querySelector<HTMLAnchorElement>(`nav a[data-tab="${tab}"]`);
  if (link) link.href = hash;
  if (tab === shown && location.hash !== hash) history.replaceState(null, "", hash);
}

/** This tab is shown from now on. Returns whether the link of the address is what it shows already. */
export function shows(tab: string): boolean {
  shown = tab;
  return own.get(tab) === location.hash;
}
