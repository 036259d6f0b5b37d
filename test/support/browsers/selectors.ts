const special: Readonly<Record<string, string>> = {
  button: 'button[type=submit]',
  pix: 'input[value="apm PIX"]',
  card: 'input[value="card"]',
};

/**
 * The selector of a field by its autocomplete token, of the `button` that pays, or of the choice of `pix` or `card`.
 */
export function selectorOf(name: string): string {
  return special[name] ?? `[autocomplete="${name}"]`;
}
