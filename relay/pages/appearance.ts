import { HIDEABLE } from '../../shared/checkout/frame.ts';
import type { Theme } from '../../shared/checkout/view.ts';
import { isPlainValue, MAX_VARIABLES, VARIABLE_NAME } from '../config/appearance.ts';

/** The appearance of a page before its variables. */
export type PageTheme = { theme: Theme; compact: boolean; hide?: string };

const THEMES = ['light', 'dark', 'auto'] as const;

/**
 * Reads the `theme` parameter of an address: one of light, dark and auto, and compact, in any order. Other words are ignored. `defaults`
 * has the same form: its theme applies if the address names none, its `compact` always.
 */
export function appearanceOf(theme: unknown, defaults = ''): PageTheme {
  const words = [theme, defaults].map((text) => (typeof text === 'string' ? text.split(/\s+/) : []));
  const named = words.map((list) => THEMES.find((name) => list.includes(name)));
  return { theme: named.find(Boolean) ?? 'auto', compact: words.some((list) => list.includes('compact')) };
}

/** Reads the parts of the form that a frame leaves out: `no-button` and so on among the words of `theme`. */
export function hiddenParts(theme: unknown): string {
  const words = typeof theme === 'string' ? theme.split(/\s+/) : [];
  return HIDEABLE.map((part) => `no-${part}`)
    .filter((word) => words.includes(word))
    .join();
}

/**
 * The rule that sets the CSS variables of an address's query; empty if it has none. Names and values that are not plain are left out. The
 * rule overrides the themes of the style sheet, and the form's script can override the rule.
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

/** Colours of texts and backgrounds. One colour is readable in only one theme. Buttons have their own background. */
const OF_A_THEME = /^--turnpike-color-(?!accent$|on-accent$|focus$)/;

/**
 * The rules that set an account's own CSS variables. Colours of texts and backgrounds apply only in the account's theme (by default light),
 * unless they are given for both by `light-dark()`. Otherwise a text could become invisible in the other theme.
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
