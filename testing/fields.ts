import type { Locator } from 'playwright-core';
import { type Form, inWords, NotInTheForm, shownIn } from './shown.ts';

export type Address = {
  /** A two-letter country code. */
  country?: string;
  postalCode?: string;
  state?: string;
  city?: string;
  address?: string;
};

/** The values of a shopper. Values without a field in the form are ignored, so one shopper fits every session. */
export type Filling = {
  card?: string;
  /** `12/30`, or another form that the field accepts. */
  expiry?: string;
  securityCode?: string;
  /** The name on the card. */
  name?: string;
  email?: string;
  phone?: string;
  document?: string;
  /** `YYYY-MM-DD`. */
  birthDate?: string;
  billing?: Address;
  /** A delivery address that differs from the billing address. */
  delivery?: Address & { firstName?: string; lastName?: string };
  /** Other fields by their paths in the request, such as `person.social_name`. The value of a file field is a path on disk. */
  fields?: Record<string, string>;
};

type Entry = readonly [selector: string, value: string | undefined];

const byToken = (token: string) => `[autocomplete="${token}"]`;
const byPath = (path: string) => `[id="field-${path}"]`;

/** Fills in the fields in the order of the form, because the country decides which fields follow. */
export async function fillIn(form: Form, filling: Filling): Promise<void> {
  const same = form.locator(byPath('delivery_same'));
  if (filling.delivery && (await same.count())) await same.uncheck();
  for (const [selector, value] of entriesOf(filling)) {
    const field = form.locator(selector).first();
    if (value !== undefined && (await field.count())) await setValue(form, field, value);
  }
}

/** Fills in one field. */
export async function setValue(form: Form, field: Locator, value: string): Promise<void> {
  const kind = await field.evaluate(
    (element) => element.getAttribute('role') ?? element.getAttribute('type') ?? element.localName,
  );
  switch (kind) {
    case 'select':
      await field.selectOption(value);
      break;
    case 'file':
      await field.setInputFiles(value);
      break;
    case 'checkbox':
      await field.setChecked(value === 'true');
      break;
    case 'combobox':
      await field.fill(value);
      await optionIn(form, value);
      break;
    default:
      await field.fill(value);
  }
}

/** Chooses the option with this name, or the first one that contains it. */
async function optionIn(form: Form, name: string): Promise<void> {
  const some = form.getByRole('option', { name }).first();
  await some.waitFor();
  const exact = form.getByRole('option', { name, exact: true });
  await ((await exact.count()) ? exact.first() : some).click();
}

function entriesOf({ billing, delivery, fields = {}, ...filling }: Filling): Entry[] {
  const [year, month, day] = filling.birthDate?.split('-') ?? [];
  return [
    [byToken('cc-number'), filling.card],
    [byToken('cc-exp'), filling.expiry],
    [byToken('cc-csc'), filling.securityCode],
    [byToken('cc-name'), filling.name],
    [byToken('email'), filling.email],
    [byToken('tel'), filling.phone],
    [`${byPath('document')}, ${byPath('person.document_number')}`, filling.document],
    [byToken('bday-day'), day],
    [byToken('bday-month'), month],
    [byToken('bday-year'), year],
    ...addressOf('billing', billing),
    [byToken('shipping given-name'), delivery?.firstName],
    [byToken('shipping family-name'), delivery?.lastName],
    ...addressOf('shipping', delivery),
    ...Object.entries(fields).map(([path, value]): Entry => [byPath(path), value]),
  ];
}

function addressOf(prefix: string, address: Address = {}): Entry[] {
  return [
    [byToken(`${prefix} country`), address.country],
    [byToken(`${prefix} postal-code`), address.postalCode],
    [byToken(`${prefix} street-address`), address.address],
    [byToken(`${prefix} address-level2`), address.city],
    [byToken(`${prefix} address-level1`), address.state],
  ];
}

/** Chooses a payment method: `card`, a `payment_method`, or the text of its label. A form with one method has no choice. */
export async function chooseMethod(form: Form, method: string): Promise<void> {
  const value = method === 'card' ? 'card' : `apm ${method}`;
  const radio = form
    .locator(`input[name="method"][value=${JSON.stringify(value)}]`)
    .or(form.getByRole('radio', { name: method, exact: true }));
  if (method === 'card' && !(await form.locator('input[name="method"]').count())) return;
  // A form with many methods shows only some of them at first.
  const more = form.locator('fieldset:has(input[name="method"]) details:not([open]) > summary');
  if (!(await radio.first().isVisible()) && (await more.count())) await more.click();
  await check(form, radio, `way to pay called ${method}`);
}

/** Chooses a saved card by the last four digits of its number. Without them, chooses to type a card. */
export async function chooseSavedCard(form: Form, last4?: string): Promise<void> {
  const saved = form.locator('input[name="saved_card"]');
  if (last4 === undefined) return check(form, form.locator('input[name="saved_card"][value=""]'), 'other card');
  await check(form, saved.and(form.getByRole('radio', { name: last4 })), `saved card ending in ${last4}`);
}

/** Chooses the number of installments. */
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

/** The count in the digits of the form's locale. Runs in the form. */
function countIn(boot: Element, count: number): string {
  const { locale }: { locale: string } = JSON.parse(boot.textContent ?? '');
  return new Intl.NumberFormat(locale).format(count);
}

/** Chooses a bank by its name or a unique part of it. */
export async function chooseBankIn(form: Form, name: string): Promise<void> {
  const bank = form.locator('[id="field-bank_code"]');
  if (!(await bank.count())) throw await notThere(form, 'question for a bank');
  await setValue(form, bank, name);
}

/** Ticks or unticks the consent to save the card. */
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
