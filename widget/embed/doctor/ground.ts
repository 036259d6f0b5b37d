/**
 * Whether the page is dark where an element stands: by the nearest ground that hides more than half of what is behind it, else
 * by the page's texts.
 */
export function isDark(place: Element): boolean {
  const probe = place.ownerDocument.createElement('span');
  probe.hidden = true;
  place.after(probe);
  // However a colour is written, mixed with itself it is told as red, green and blue from 0 to 1.
  const read = (colour: string): number[] => {
    probe.style.outlineColor = `color-mix(in srgb,${colour},${colour})`;
    return (getComputedStyle(probe).outlineColor.match(/\d[\d.e-]*/g) ?? []).map(Number);
  };
  try {
    for (let node: Element | null = place; node; node = parentOf(node)) {
      const ground = read(getComputedStyle(node).backgroundColor);
      if ((ground[3] ?? 1) > 0.5) return !isLight(ground);
    }
    return isLight(read(getComputedStyle(place).color));
  } finally {
    probe.remove();
  }
}

function parentOf(node: Element): Element | null {
  const root = node.getRootNode();
  return node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
}

function isLight([red = 1, green = 1, blue = 1]: readonly number[]): boolean {
  return red * 0.3 + green * 0.6 + blue * 0.1 > 0.5;
}
