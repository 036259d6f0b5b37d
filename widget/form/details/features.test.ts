// @vitest-environment jsdom
import { expect, it } from 'vitest';
import type { FieldContext } from '../../../shared/checkout/fields/context.ts';
import { fieldProblem } from '../../../shared/checkout/fields/rules.ts';
import type { CheckoutView } from '../../../shared/checkout/view.ts';
import { open } from '../testing.tsx';
import { featuresOf, loadFeatures } from './features.ts';

const view: CheckoutView = { ...open, methods: [{ type: 'card' }] };
const banks = (count: number) => Array.from({ length: count }, (_, at) => ({ code: `${at}`, name: `Bank ${at}` }));
const apm = { type: 'apm', payment_method: 'X', label: 'X' } as const;

it.each<[what: string, more: Partial<CheckoutView>, features: string[]]>([
  ['an e-mail address', { collect: ['email'] }, []],
  ['a document', { collect: ['document'] }, ['documents']],
  ['an address', { collect: ['billing_address'] }, ['addresses']],
  ['a telephone number and a date', { collect: ['phone', 'birth_date'] }, ['phones', 'dates']],
  ['a few banks', { methods: [{ ...apm, banks: banks(50) }] }, []],
  [
    'many banks, in a method that is not the first',
    { methods: [{ type: 'card' }, { ...apm, banks: banks(51) }] },
    ['banks'],
  ],
  ['a file', { methods: [{ ...apm, fields: ['person.documents.file_data'] }] }, ['files']],
  ['a country', { methods: [{ ...apm, fields: ['person.fiscal_country'] }] }, ['addresses']],
  [
    'the account of a bank',
    { methods: [{ ...apm, fields: ['person.documents.labels.bank_account'] }] },
    ['documents', 'addresses'],
  ],
])('a form that asks for %s loads no more than that needs', (_what, more, features) => {
  expect(featuresOf({ ...view, ...more })).toEqual(features);
});

it('accepts any value of a country whose rules are not loaded', async () => {
  const context: FieldContext = { values: { billing_country: 'BR' }, currency: 'BRL', today: '2026-07-30' };
  const wrong = (rules: object) => [
    fieldProblem('document', '52998224724', { ...context, ...rules })?.key,
    fieldProblem('billing_postal_code', '0131', { ...context, ...rules })?.key,
    fieldProblem('billing_state', 'XX', { ...context, ...rules })?.key,
  ];
  const none = await loadFeatures({ ...view, collect: ['email'] });
  expect(wrong(none.rules)).toEqual([undefined, undefined, undefined]);
  const some = await loadFeatures({ ...view, collect: ['document'] });
  expect(wrong(some.rules)).toEqual(['document_invalid', undefined, undefined]);
  const { rules, controls } = await loadFeatures({ ...view, collect: ['document', 'billing_address'] });
  expect(Object.keys(controls)).toEqual(['CountryChoice']);
  expect(wrong(rules)).toEqual(['document_invalid', 'postal_code_invalid', 'choice_missing']);
});
