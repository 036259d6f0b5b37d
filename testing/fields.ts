import type { Locator } from 'playwright-core';
import type { Form } from './shown.ts';

export type Address = {
  /** A two-letter country code. */
  country?: string;
  postalCode?: string;
  state?: string;
  city?: string;
  address?: string;
};

/** What a shopper fills in. What the form does not ask for is left out, so one shopper fits every session. */
export type Filling = {
  card?: string;
  /** `12/30` or any other form that people write. */
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
  /** Given, it is not the same as the billing address. */
  delivery?: Address & { firstName?: string; lastName?: string };
  /** Any other field by its path in the request, such as `person.social_name`. A file is the path of one on disk. */
  fields?: Record<string, string>;
};

type Entry = readonly [selector: string, value: string | undefined];

const byToken = (token: string) => `[autocomplete="${token}"]`;
const byPath = (path: string) => `[id="field-${path}"]`;

/** Fills in and chooses whatever of this the form asks, in the form's order of asking: a country decides over what follows it. */
export async function fillIn(form: Form, filling: Filling): Promise<void> {
  const same = form.locator(byPath('delivery_same'));
  if (filling.delivery && (await same.count())) await same.uncheck();
  for (const [selector, value] of entriesOf(filling)) {
    const field = form.locator(selector).first();
    if (value !== undefined && (await field.count())) await setValue(form, field, value);
  }
}

/** Fills one field in the way of its kind. */
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

/** Presses the option of this name, or the first that has it in its name. */
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
