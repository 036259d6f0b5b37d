import type { FrameLocator, Page } from 'playwright-core';

/** Where the form stands: in a frame of the shop's page, or on a page of its own. */
export type Form = Page | FrameLocator;

/** A field that is marked as wrong. `name` is its path in the request, `expiry` or `name`. */
export type WrongField = { name: string; label: string; message: string };

/** What a shopper reads of the form, without anything that was typed into it. */
export type Shown = { heading: string; told: string; fields: WrongField[] };

/** Reads what the form shows; of a form that is not there within a time, nothing. */
export async function shownIn(form: Form, withinMs = 1000): Promise<Shown> {
  const shown = await form
    .locator('html')
    .evaluate(read, undefined, { timeout: withinMs })
    .catch(() => undefined);
  return shown ?? { heading: '', told: '', fields: [] };
}

/** The same as a sentence for a failed test. */
export function inWords({ heading, told, fields }: Shown): string {
  const marks = fields.map(({ label, message }) => `${label}: ${message}`);
  const lines = [heading, told, ...marks].filter(Boolean);
  return lines.length
    ? `The checkout shows: ${lines.map(withoutNumbers).join(' | ')}`
    : 'There is no checkout to be seen.';
}

/** A shop's own texts might repeat what was typed. */
function withoutNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){11,}/g, '…');
}

/** Runs in the form. A field of several inputs, such as a date, is marked at each and told once. */
function read(): Shown {
  /** Buttons are to be pressed, not told. */
  const textOf = (element: Element | null | undefined) => {
    const copy = element?.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    for (const button of copy.querySelectorAll('button')) button.remove();
    return copy.textContent.replace(/\s+/g, ' ').trim();
  };
  const fields = new Map<string, WrongField>();
  for (const input of document.querySelectorAll('[aria-invalid="true"]')) {
    const own = input.closest('[aria-describedby]');
    const described = (own?.getAttribute('aria-describedby') ?? '').split(' ');
    const name = described.find((id) => id.startsWith('error-'))?.slice('error-'.length) ?? input.id;
    const group = input.closest(`[role="group"][aria-describedby~="${CSS.escape(`error-${name}`)}"]`);
    const groupName = document.getElementById(group?.getAttribute('aria-labelledby') ?? '');
    const label = groupName ?? document.querySelector(`label[for="${CSS.escape(input.id)}"]`);
    fields.set(name, { name, label: textOf(label), message: textOf(document.getElementById(`error-${name}`)) });
  }
  const heading = textOf(document.querySelector('h1'));
  return { heading, told: textOf(document.querySelector('.message')), fields: [...fields.values()] };
}

/** Any failure of the kit. Its text says what the form shows, and never what was typed into it. */
export abstract class TestKitError extends Error {
  abstract readonly code: string;
}

/** The checkout did not come, or did not come to life. */
export class CheckoutNotReady extends TestKitError {
  override readonly name = 'CheckoutNotReady';
  readonly code = 'not_ready';
}

/** The form has no such method, card, plan or field. */
export class NotInTheForm extends TestKitError {
  override readonly name = 'NotInTheForm';
  readonly code = 'not_in_the_form';
}

/** The time was up before anything came of a payment. */
export class NothingCameOut extends TestKitError {
  override readonly name = 'NothingCameOut';
  readonly code = 'nothing_came_out';
}
