import { currencyDigits } from '../../shared/checkout/money/money.ts';
import type { Payout } from '../api/api.ts';
import { fill, type Words } from '../locales/words.ts';
import { readAmount, typedAmount } from '../parts/amount.ts';

type PayeeKind = keyof Words['payouts']['kinds'];
type Side = keyof Words['payouts']['sides'];
export type FieldName = keyof Words['payouts']['fields'];

/** The content of the dialog. `values` are the texts of its fields by name. */
export type PayoutForm = {
  kind: PayeeKind;
  side: Side;
  amount: string;
  currency: string;
  values: Readonly<Partial<Record<FieldName, string>>>;
};

export const kinds: readonly PayeeKind[] = ['company', 'person', 'known'];
export const sides: readonly Side[] = ['payment', 'source'];

export const emptyForm: PayoutForm = { kind: 'company', side: 'payment', amount: '', currency: '', values: {} };

/** A field: its place in the request (§2.9), the payees that have it, and its rule. */
export type PayoutField = {
  name: FieldName;
  path: readonly string[];
  kinds?: readonly PayeeKind[];
  isRequired?: true;
  form?: 'currency' | 'country' | 'date' | 'email' | 'iban' | 'swift';
  /** An example value from the specification. */
  example?: string;
};

const isNew: readonly PayeeKind[] = ['company', 'person'];
const of = (folder: string, name: FieldName, more: Omit<PayoutField, 'name' | 'path'> = {}): PayoutField => ({
  ...{ name, path: [...(folder === '' ? [] : folder.split('.')), name] },
  ...more,
});

const payee = 'beneficiary';
const info = `${payee}.additional_info`;
const bank = `${payee}.bank_details`;
const address = `${payee}.address`;

/** The fields of the dialog, by group. The specification does not say which of them the gateway requires. */
export const payoutFields = {
  payee: [
    of('', 'beneficiary_id', { kinds: ['known'], isRequired: true }),
    of(payee, 'company_name', { kinds: ['company'], isRequired: true }),
    of(info, 'business_registration_number', { kinds: ['company'] }),
    of(payee, 'first_name', { kinds: ['person'], isRequired: true }),
    of(payee, 'last_name', { kinds: ['person'], isRequired: true }),
    of(payee, 'date_of_birth', { kinds: ['person'], form: 'date' }),
    of(info, 'personal_id_number', { kinds: ['person'] }),
  ],
  account: [
    of(bank, 'account_number', { kinds: isNew }),
    of(bank, 'iban', { kinds: isNew, form: 'iban' }),
    of(bank, 'swift_code', { kinds: isNew, form: 'swift' }),
    of(bank, 'account_name', { kinds: isNew }),
  ],
  why: [of('', 'reference'), of('', 'reason')],
  bank: [
    of(bank, 'bank_name', { kinds: isNew }),
    of(bank, 'bank_country_code', { kinds: isNew, form: 'country' }),
    of(bank, 'bank_code', { kinds: isNew }),
    of(bank, 'bank_branch', { kinds: isNew }),
    of(bank, 'account_currency', { kinds: isNew, form: 'currency' }),
    of(bank, 'owner_document_number', { kinds: isNew }),
  ],
  address: [
    of(address, 'street_address', { kinds: isNew }),
    of(address, 'city', { kinds: isNew }),
    of(address, 'state', { kinds: isNew }),
    of(address, 'postcode', { kinds: isNew }),
    of(address, 'country_code', { kinds: isNew, form: 'country' }),
    of(info, 'personal_email', { kinds: isNew, form: 'email' }),
    of(info, 'personal_mobile_number', { kinds: isNew }),
  ],
  more: [
    of('', 'payment_method', { example: 'SWIFT' }),
    of('', 'payment_date', { form: 'date' }),
    of('', 'fee_paid_by', { example: 'PAYER' }),
    of('', 'swift_charge_option', { example: 'SHARED' }),
    of('', 'fund_source', { example: 'DepositAccount' }),
    of('', 'source_currency', { form: 'currency' }),
  ],
} satisfies Record<string, readonly PayoutField[]>;

const allFields: readonly PayoutField[] = Object.values(payoutFields).flat();

/** The fields for a kind of payee and a side of the amount. */
export function askedOf(fields: readonly PayoutField[], { kind, side }: PayoutForm): readonly PayoutField[] {
  return fields.filter(
    // An amount that leaves our account already has its currency beside it.
    ({ name, kinds }) => (kinds?.includes(kind) ?? true) && !(name === 'source_currency' && side === 'source'),
  );
}

/** The request of a form, and its faults by field name. */
export function payoutOf(
  form: PayoutForm,
  requestId: string,
  words: Words,
  locale: string,
): { payout: Payout; faults: Partial<Record<FieldName | 'amount' | 'currency', string>> } {
  const { payouts, dialog } = words;
  const currency = form.currency.trim();
  const amount = amountIn(form, locale);
  const asked = askedOf(allFields, form);
  const given = asked.flatMap((field): [PayoutField, string][] => {
    const value = form.values[field.name]?.trim() ?? '';
    return value === '' ? [] : [[field, value]];
  });
  const has = (name: FieldName): boolean => given.some(([field]) => field.name === name);
  const faults: Partial<Record<FieldName | 'amount' | 'currency', string>> = {};
  if (amount === undefined) faults.amount = fill(dialog.bad_amount, { example: typedAmount('20.00', locale) });
  else if (!isCurrency(currency)) faults.currency = payouts.bad_currency;
  else if ((amount.split('.')[1] ?? '').length > currencyDigits(currency))
    faults.amount = fill(payouts.bad_decimals, { currency });
  if (currency === '') faults.currency = payouts.bad_currency;
  for (const { name, isRequired } of asked) if (isRequired && !has(name)) faults[name] = dialog.required;
  if (form.kind !== 'known' && !has('account_number') && !has('iban')) faults.account_number = payouts.no_account;
  for (const [field, value] of given) {
    const fault = faultIn(field, value, words);
    if (fault !== undefined) faults[field.name] = fault;
  }
  const payout: Record<string, unknown> = {
    [`${form.side}_amount`]: amount,
    [`${form.side}_currency`]: currency,
  };
  for (const [{ path }, value] of given) put(payout, path, value);
  if (form.kind === 'company') put(payout, [payee, 'entity_type'], COMPANY);
  return { payout: { request_id: requestId, ...payout }, faults };
}

/** The value in the specification's sample. It does not list the values for a person. */
const COMPANY = 'COMPANY';

/** The typed amount in the form of the specification's sample: without decimals if they are zero. */
export function amountIn({ amount }: Pick<PayoutForm, 'amount'>, locale: string): string | undefined {
  const read = readAmount(amount, locale);
  return read === undefined || /^0+\.0*$/.test(read) ? undefined : read.replace(/\.0+$/, '');
}

function faultIn({ form }: PayoutField, value: string, { payouts }: Words): string | undefined {
  switch (form) {
    case 'currency':
      return isCurrency(value) ? undefined : payouts.bad_currency;
    case 'country':
      return /^[A-Z]{2}$/.test(value) ? undefined : payouts.bad_country;
    case 'iban':
      return isIban(value) ? undefined : payouts.bad_iban;
    case 'swift':
      return isSwift(value) ? undefined : payouts.bad_swift;
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? undefined : payouts.bad_email;
    case 'date':
    case undefined:
      return undefined;
  }
}

const isCurrency = (text: string): boolean => /^[A-Z]{3}$/.test(text);

function put(into: Record<string, unknown>, [name = '', ...rest]: readonly string[], value: string): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = { ...Object(into[name]) };
  put(inner, rest, value);
  into[name] = inner;
}

/** Whether a text is an IBAN with valid check digits. Spaces are ignored. */
export function isIban(text: string): boolean {
  const iban = text.replace(/\s/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(iban)) return false;
  const digits = [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => parseInt(sign, 36)).join('');
  return [...digits].reduce((rest, digit) => (rest * 10 + Number(digit)) % 97, 0) === 1;
}

/** Whether a text has the form of a SWIFT code (BIC). */
export function isSwift(text: string): boolean {
  return /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(text);
}
