/**
 * Sets the shop's CSS variables, and no others that it or the address set before, through the CSSOM: the page's policy forbids
 * style attributes. Where the shop says nothing of them all stay.
 */
export function setVariables(root: HTMLElement, variables: unknown): void {
  if (!variables) return;
  root.ownerDocument.getElementById('variables')?.remove();
  root.style.cssText = '';
  for (const [name, value] of Object.entries(variables)) {
    if (/^--turnpike-[a-z-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Shows the form in another theme: tokens as the `theme` attribute has them; anything that is none is ignored. */
export function setTheme(root: HTMLElement, theme: unknown): void {
  if (typeof theme !== 'string') return;
  const [known] = /\b(light|dark|auto)\b/.exec(theme) ?? [];
  if (known) root.dataset.theme = known;
  root.classList.toggle('compact', /\bcompact\b/.test(theme));
}

/** Leaves the page for an address of the relay's own; any other is refused, and the shopper keeps the link. */
export function goTo(location: Location, url: string): void {
  const target = new URL(url, location.href);
  if (target.origin === location.origin) location.assign(target);
}
