import { expect, it } from 'vitest';
import { catalogue, type GroupedField } from './catalogue.ts';
import { rowsOf } from './details.tsx';

function fieldOf(name: string): GroupedField {
  const entry = catalogue.get(name);
  if (!entry) throw new Error(`no field ${name}`);
  return { name, ...entry, problem: () => undefined };
}

it.each<[names: string, rows: string]>([
  ['shopper_email shopper_phone birth_date document', 'shopper_email+shopper_phone birth_date+document'],
  ['shopper_email birth_date document', 'shopper_email+birth_date document'],
  ['shopper_email first_name last_name document', 'shopper_email first_name=last_name document'],
  ['document person.documents.file_data', 'document person.documents.file_data'],
  ['document billing_country billing_address', 'document billing_country billing_address'],
  ['billing_postal_code billing_city billing_state', 'billing_postal_code=billing_city billing_state'],
  ['billing_city billing_state billing_postal_code', 'billing_city billing_state=billing_postal_code'],
  ['billing_address billing_city billing_state', 'billing_address billing_city=billing_state'],
  ['billing_state delivery_city', 'billing_state delivery_city'],
])('%s stand as %s', (names, rows) => {
  const shown = rowsOf(names.split(' ').map(fieldOf)).map(({ fields, short }) =>
    fields.map(({ name }) => name).join(short ? '=' : '+'),
  );
  expect(shown.join(' ')).toBe(rows);
});
