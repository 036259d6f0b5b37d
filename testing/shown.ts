import type { FrameLocator, Page } from 'playwright-core';

/** The form: a frame in the shop's page, or its own page. */
export type Form = Page | FrameLocator;

/** A field that is marked as wrong. `name` is its path in the request, `expiry` or `name`. */
export type WrongField = { name: string; label: string; message: string };

/** The texts of the form, without typed values. `told`: the text that the shopper reads. */
export type Shown = { heading: string; told: string; fields: WrongField[] };

/** Returns the texts of the form; empty ones if the form is not there in time. */
export async function shownIn(form: Form, withinMs = 1000): Promise<Shown> {
  const shown = await form
    .locator('html')
    .evaluate(read, undefined, { timeout: withinMs })
    .catch(() => undefined);
  return shown ?? { heading: '', told: '', fields: [] };
}

/** Returns the texts as a sentence for the message of a failed test. */
export function inWords({ heading, told, fields }: Shown): string {
  const marks = fields.map(({ label, message }) => `${label}: ${message}`);
  const lines = [heading, told, ...marks].filter(Boolean);
  return lines.length ? `The checkout shows: ${lines.map(withoutNumbers).join(' | ')}` : 'The page shows no checkout.';
}

/** Hides long numbers, because texts of a shop can repeat what was typed. */
function withoutNumbers(text: string): string {
  return text.replace(/\d(?:[ -]?\d){11,}/g, '…');
}

/** Runs in the form. A field with several inputs, such as a date, is listed once. */
function read(): Shown {
  /** The text of an element without its buttons. */
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

/** A failure of the test kit. Its message contains what the form shows, and never what was typed. */
export abstract class TestKitError extends Error {
  abstract readonly code: string;
}

/** The checkout did not appear, or did not become ready. */
export class CheckoutNotReady extends TestKitError {
  override readonly name = 'CheckoutNotReady';
  readonly code = 'not_ready';
}

/** The form has no such method, card, plan or field. */
export class NotInTheForm extends TestKitError {
  override readonly name = 'NotInTheForm';
  readonly code = 'not_in_the_form';
}

/** A payment had no result in time. */
export class NothingCameOut extends TestKitError {
  override readonly name = 'NothingCameOut';
  readonly code = 'nothing_came_out';
}
