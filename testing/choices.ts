import type { Locator } from 'playwright-core';
import { NotInTheForm } from './errors.ts';
import { setValue } from './fields.ts';
import { type Form, inWords, shownIn } from './shown.ts';

/** Chooses a way to pay: `card`, a `payment_method`, or what its label says. A form of one method has nothing to choose. */
export async function chooseMethod(form: Form, method: string): Promise<void> {
  const value = method === 'card' ? 'card' : `apm ${method}`;
  const radio = form
    .locator(`input[name="method"][value=${JSON.stringify(value)}]`)
    .or(form.getByRole('radio', { name: method, exact: true }));
  if (method === 'card' && !(await form.locator('input[name="method"]').count())) return;
  // Of many methods the form shows a few at first.
  const more = form.locator('fieldset:has(input[name="method"]) details:not([open]) > summary');
  if (!(await radio.first().isVisible()) && (await more.count())) await more.click();
  await check(form, radio, `way to pay called ${method}`);
}

/** Chooses a saved card by the last four digits of its number; without them another card, which is typed. */
export async function chooseSavedCard(form: Form, last4?: string): Promise<void> {
  const saved = form.locator('input[name="saved_card"]');
  if (last4 === undefined) return check(form, form.locator('input[name="saved_card"][value=""]'), 'other card');
  await check(form, saved.and(form.getByRole('radio', { name: last4 })), `saved card ending in ${last4}`);
}

/** Chooses to pay in so many installments. */
export async function choosePlan(form: Form, count: number): Promise<void> {
  const written = await form.locator('script#boot').evaluate(countIn, count);
  const counts = new RegExp(`^\\D*(${count}|${written})(?!\\p{Nd})`, 'u');
  const select = form.locator('select[id="field-installments"]');
  if (!(await select.count())) {
    const radios = form.locator('input[name="installments"]').and(form.getByRole('radio', { name: counts }));
    return check(form, radios, `plan of ${count} installments`);
  }
  const plan = select.locator('option', { hasText: counts }).first();
  if (!(await plan.count())) throw await notThere(form, `plan of ${count} installments`);
  await select.selectOption((await plan.getAttribute('value')) ?? '');
}

/** Runs in the form: a count in the digits of its locale. */
function countIn(boot: Element, count: number): string {
  const { locale }: { locale: string } = JSON.parse(boot.textContent ?? '');
  return new Intl.NumberFormat(locale).format(count);
}

/** Chooses a bank by its name, or as much of it as tells it apart. */
export async function chooseBankIn(form: Form, name: string): Promise<void> {
  const bank = form.locator('[id="field-bank_code"]');
  if (!(await bank.count())) throw await notThere(form, 'question for a bank');
  await setValue(form, bank, name);
}

/** Ticks the consent to save the card, or takes it back. */
export async function consent(form: Form, given: boolean): Promise<void> {
  const box = form.locator('input[type="checkbox"][id="field-save_card"]');
  if (!(await box.count())) throw await notThere(form, 'offer to save the card');
  await box.setChecked(given);
}

async function check(form: Form, radio: Locator, what: string): Promise<void> {
  if (!(await radio.count())) throw await notThere(form, what);
  await radio.first().check();
}

async function notThere(form: Form, what: string): Promise<NotInTheForm> {
  return new NotInTheForm(`The form has no ${what}. ${inWords(await shownIn(form))}`);
}
