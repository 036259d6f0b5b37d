import type { Theme } from '../../shared/checkout/view.ts';

const THEMES: Readonly<Record<string, Theme>> = { light: 'light', dark: 'dark', auto: 'auto' };

/** Sets the shop's CSS variables, and no others that it set before, through the CSSOM: the page's policy forbids style attributes. */
export function setVariables(root: HTMLElement, variables: unknown): void {
  root.style.cssText = '';
  for (const [name, value] of Object.entries(variables ?? {})) {
    if (/^--turnpike-[a-z-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value);
  }
}

/** Shows the form in another theme; anything that is none is ignored. */
export function setTheme(root: HTMLElement, theme: unknown): void {
  const known = THEMES[String(theme)];
  if (known) root.dataset.theme = known;
}

/** Leaves the page for an address of the relay's own; any other is refused, and the shopper keeps the link. */
export function goTo(location: Location, url: string): void {
  const target = new URL(url, location.href);
  if (target.origin === location.origin) location.assign(target);
}
