/**
 * Whether the page is dark where an element stands: by the nearest ground that hides more than half of what is behind it, else
 * by the page's texts.
 */
export function isDark(place: Element): boolean {
  for (let node: Element | null = place; node; node = parentOf(node)) {
    const ground = read(place, getComputedStyle(node).backgroundColor);
    if ((ground[3] ?? 1) > 0.5) return !isLight(ground);
  }
  return isLight(read(place, getComputedStyle(place).color));
}

/** The theme that `auto` has on a page whose text has the colour that it has here: none where that is neither light nor dark. */
export function themeOfText(place: Element): 'light' | 'dark' | undefined {
  const [lightness = Number.NaN] = read(place, getComputedStyle(place).color, 'lab');
  if (lightness > 70) return 'dark';
  return lightness < 45 ? 'light' : undefined;
}

/** The numbers of a colour in a colour space: red, green and blue of sRGB from 0 to 1, and alpha where it is not opaque. */
function read(place: Element, colour: string, space = 'srgb'): number[] {
  const probe = place.ownerDocument.createElement('span');
  probe.hidden = true;
  place.after(probe);
  // However a colour is written, mixed with itself it is told so.
  probe.style.outlineColor = `color-mix(in ${space},${colour},${colour})`;
  const parts = getComputedStyle(probe).outlineColor.match(/\d[\d.e-]*/g) ?? [];
  probe.remove();
  return parts.map(Number);
}

function parentOf(node: Element): Element | null {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function isLight([red = 1, green = 1, blue = 1]: readonly number[]): boolean {
  return red * 0.3 + green * 0.6 + blue * 0.1 > 0.5;
}
