import { HIDEABLE } from '../../shared/checkout/frame.ts';
import type { Theme } from '../../shared/checkout/view.ts';
import { isPlainValue, MAX_VARIABLES, VARIABLE_NAME } from '../config/appearance.ts';

/** The appearance of a page before its variables. */
export type PageTheme = { theme: Theme; compact: boolean; hide?: string };

const THEMES = ['light', 'dark', 'auto'] as const;

/**
 * Reads `theme`, the words of an address: one of light, dark and auto, and compact, in any order. Other words are ignored. `usual` are
 * the words that apply if the address has none.
 */
export function appearanceOf(theme: unknown, usual = ''): PageTheme {
  const words = [theme, usual].map((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
  const named = words.map((said) => THEMES.find((name) => said.includes(name)));
  return { theme: named.find(Boolean) ?? 'auto', compact: words.some((said) => said.includes('compact')) };
}

/** Reads the parts of the form that a frame leaves out: `no-button` and so on among the words of `theme`. */
export function hiddenParts(theme: unknown): string {
  const words = typeof theme === 'string' ? theme.split(/\s+/) : [];
  return HIDEABLE.map((part) => `no-${part}`)
    .filter((word) => words.includes(word))
    .join();
}

/**
 * The rule that sets the CSS variables of an address's query; empty if it has none. Names and values that are not plain are left out. It outweighs the style sheet's own themes, and the form's script can outweigh it in turn.
 */
export function variablesRule(query: Readonly<Record<string, unknown>>): string {
  const variables = Object.entries(query)
    .flatMap(([name, value]): Variable[] =>
      VARIABLE_NAME.test(name) && typeof value === 'string' && isPlainValue(value) ? [[name, value]] : [],
    )
    .slice(0, MAX_VARIABLES);
  return rule('', variables);
}

type Variable = [name: string, value: string];

/** Colours of texts and backgrounds. A single colour suits the background of only one theme. Buttons have their own background. */
const OF_A_THEME = /^--turnpike-color-(?!accent$|on-accent$|focus$)/;

/**
 * The rules that set an account's own CSS variables. Its colours of texts and backgrounds apply in its own theme (by default light), and in
 * the other one only if they have two colours by `light-dark()`, so that no text can become invisible.
 */
export function accountRules(variables: Readonly<Record<string, string>>, theme = ''): string {
  const all = Object.entries(variables);
  const isBound = ([name, value]: Variable) => OF_A_THEME.test(name) && !value.includes('light-dark(');
  const own = appearanceOf(theme).theme === 'dark' ? 'dark' : 'light';
  const bound = all.filter(isBound);
  const free = all.filter((variable) => !isBound(variable));
  const automatic = rule('[data-theme="auto"]', bound);
  return [
    rule('', free),
    rule(`[data-theme="${own}"]`, bound),
    automatic && `@media (prefers-color-scheme:${own}){${automatic}}`,
  ].join('');
}

function rule(where: string, variables: readonly Variable[]): string {
  const declarations = variables.map(([name, value]) => `${name}:${value}`);
  return declarations.length ? `:root:root:root${where}{${declarations.join(';')}}` : '';
}
