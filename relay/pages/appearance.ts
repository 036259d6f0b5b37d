import type { Theme } from '../../shared/checkout/view.ts';

/** The appearance that a page asks for in its address. */
export type Appearance = { theme: Theme; compact: boolean };

/** Reads `theme`: one of light, dark and auto, and compact, in any order; what is none of these says nothing. */
export function appearanceOf(theme: unknown): Appearance {
  const tokens = typeof theme === 'string' ? theme.split(/\s+/) : [];
  const named = (['light', 'dark', 'auto'] as const).find((name) => tokens.includes(name));
  return { theme: named ?? 'auto', compact: tokens.includes('compact') };
}

const MAX_VARIABLES = 40;
const NAME = /^--turnpike-[a-z-]{1,60}$/;
/** Words, numbers, colours, lists and functions: nothing that ends a declaration, escapes, comments, or names an address. */
const VALUE = /^[\w#%.,+*/()"' -]{1,200}$/;
const LOADS = /\/\*|\b(url|src|image|image-set|cross-fade|element)\s*\(/i;

/**
 * The rule that sets the CSS variables of an address's query, empty where it has none; names and values that are anything but
 * plain are left out. It outweighs the style sheet's own themes, and the form's script can outweigh it in turn.
 */
export function variablesRule(query: Readonly<Record<string, unknown>>): string {
  const declarations = Object.entries(query)
    .flatMap(([name, value]) =>
      NAME.test(name) && typeof value === 'string' && isPlainValue(value) ? [`${name}:${value}`] : [],
    )
    .slice(0, MAX_VARIABLES);
  return declarations.length ? `:root:root:root{${declarations.join(';')}}` : '';
}

function isPlainValue(value: string): boolean {
  if (!VALUE.test(value) || LOADS.test(value)) return false;
  const unquoted = value.replace(/"[^"']*"|'[^"']*'/g, '');
  if (/["']/.test(unquoted)) return false;
  let open = 0;
  for (const character of unquoted) {
    if (character === '(') open += 1;
    if (character === ')') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
