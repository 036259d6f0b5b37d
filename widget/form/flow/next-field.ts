import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { likelyBrand } from '../card/brands.ts';
import type { Core } from '../model.ts';
import { fieldNames, problemOf } from '../rules.ts';
import { fieldOf } from './focus-events.ts';

/** The fields that follow automatically. */
const AFTER: Readonly<Record<string, string>> = { card: 'expiry', expiry: 'security_code' };

/**
 * Moves the focus to the next empty field: after the Enter key, and on a touch screen after the card's number and date
 * are complete. The label of Enter on a phone's keyboard is "next" or "done".
 */
export function leadOn(page: HTMLElement, core: Core): void {
  const nameOf = (event: Event) => (event.target instanceof HTMLInputElement ? fieldOf(event, core) : undefined);
  const emptyAfter = (name: string): string | undefined => {
    const names = fieldNames(core.state, core.extra);
    const isNext = (other: string) => other !== name && !core.state.values[other] && hasProblem(core, other);
    const place = names.indexOf(name);
    return [...names.slice(place), ...names.slice(0, place)].find(isNext);
  };
  page.addEventListener('focusin', (event) => {
    const name = nameOf(event);
    if (name && event.target instanceof HTMLInputElement) event.target.enterKeyHint = emptyAfter(name) ? 'next' : 'go';
  });
  page.addEventListener('keydown', (event) => {
    const name = event.key === 'Enter' && !event.isComposing && !event.defaultPrevented ? nameOf(event) : undefined;
    const next = name && core.state.stage.name === 'form' ? emptyAfter(name) : undefined;
    if (!next) return;
    event.preventDefault();
    core.focus(next);
  });
  page.addEventListener('input', (event) => {
    const name = nameOf(event) ?? '';
    const next = AFTER[name];
    const { target } = event;
    // A shopper with a Tab key presses it, and would skip a field.
    if (!matchMedia('(pointer: coarse)').matches) return;
    if (!next || core.state.values[next] || !(event instanceof InputEvent) || event.inputType !== 'insertText') return;
    const isAtEnd = target instanceof HTMLInputElement && target.selectionStart === target.value.length;
    if (isAtEnd && isWhole(core, name)) core.focus(next);
  });
}

function hasProblem({ state, extra, platform }: Core, name: string): boolean {
  return problemOf(name, state, { extra, now: platform.now() }) !== undefined;
}

/** Whether no further digit is possible. A valid number may still be longer if its brand has longer ones. */
function isWhole(core: Core, name: string): boolean {
  if (hasProblem(core, name)) return false;
  if (name !== 'card') return true;
  const digits = digitsOf(core.state.values.card ?? '');
  const brand = likelyBrand(digits);
  // Visa's longer numbers are not issued.
  const longest = brand?.id === 'visa' ? 16 : Math.max(...(brand?.lengths ?? [19]));
  return digits.length === longest;
}
