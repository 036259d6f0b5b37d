import { passesLuhn } from '../../shared/gateway/luhn.ts';

/** The card data of one payment, known only while its request lives. */
export type CardSecrets = { card?: string; security_code?: string };

/**
 * Fields whose values are the gateway's or the shop's own identifiers and times. A run of digits there may pass Luhn, or
 * be the security code, by chance; taking it out would break refunds and look-ups, so only this payment's own card number
 * is taken out of them.
 */
const identifiers = new Set([
  'merchant_id',
  'account_id',
  'order_no',
  'transaction_id',
  'reference_no',
  'recurring_id',
  'payer_id',
  'beneficiary_id',
  'account_number',
  'iban',
  'amount',
  'refund_amount',
  'payment_amount',
  'source_amount',
  'refund_reference',
  'refund_reference_id',
  'request_id',
  'short_reference_id',
  'transaction_date',
  'refund_date',
  'refund_processing_date',
  'recurring_deduction_time',
  'encryption_data',
]);

/** A card number as it may be kept and shown: first six and last four digits. */
export function maskPan(pan: string): string {
  return `${pan.slice(0, 6)}${'*'.repeat(Math.max(pan.length - 10, 0))}${pan.slice(-4)}`;
}

/** The gateway's masked card if it shows no more than BIN and last four; otherwise our own mask, or nothing. */
export function safeMaskedCard(fromGateway: string | undefined, own: CardSecrets): string | undefined {
  if (fromGateway && /^\d{0,8}[*xX•]{4,}\d{0,4}$/.test(fromGateway)) return fromGateway;
  return own.card ? maskPan(own.card) : undefined;
}

/**
 * Takes card data out of a text that came from the gateway: the payment's own card number (whatever stands between its
 * digits, and escaped too) and security code, and every run of 12 to 19 digits that passes Luhn.
 */
export function redactText(value: string, own: CardSecrets = {}): string {
  const plain = withPlainDigits(value);
  const redacted = redactDigits(plain, own);
  // A text that hides nothing stays as it came.
  return redacted === plain ? value : redacted;
}

/** `redactText` for what a person typed, who may have set the digits of a card number apart. */
export function redactNote(value: string): string {
  const joined = value.replace(/(?<!\d)\d(?:[\s.-]{0,2}\d){11,18}(?!\d)/g, (run) => {
    const digits = run.replace(/\D+/g, '');
    return passesLuhn(digits) ? maskPan(digits) : run;
  });
  return redactText(joined);
}

/** Digits as JSON, URLs and XML may escape them, as digits. */
function withPlainDigits(value: string): string {
  if (!/[%\\&]/.test(value)) return value;
  return value
    .replace(/(?:%|\\u00|\\x|&#x0*)3(\d);?/gi, '$1')
    .replace(/&#0*(4[89]|5[0-7]);?/g, (_, code) => String.fromCharCode(Number(code)));
}

function redactDigits(value: string, own: CardSecrets): string {
  return redactOwn(value, own).replace(/(?<!\d)\d{12,19}(?!\d)/g, (run) => (passesLuhn(run) ? maskPan(run) : run));
}

/** Takes the payment's own card number out of an identifier, which must otherwise stay what it is. */
export function redactIdentifier(value: string, own: CardSecrets): string {
  return own.card ? withoutPan(value, own.card) : value;
}

/** `redactText` for every string inside a value of a parsed answer. */
export function redactValue(value: unknown, own: CardSecrets = {}, field = ''): unknown {
  if (typeof value === 'string') return identifiers.has(field) ? redactIdentifier(value, own) : redactText(value, own);
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, own, field));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [redactText(name, own), redactValue(entry, own, name)]),
    );
  }
  if (typeof value === 'number' && redactText(String(value), own) !== String(value)) return null;
  return value;
}

function redactOwn(value: string, own: CardSecrets): string {
  const result = own.card ? withoutPan(value, own.card) : value;
  return own.security_code && result.includes(own.security_code)
    ? result.replace(new RegExp(`(?<!\\d)${own.security_code}(?!\\d)`, 'g'), '***')
    : result;
}

/** What may stand between the digits of a card number that somebody set for reading. */
const BETWEEN_DIGITS = '(?:[^0-9A-Za-z]|%20|&nbsp;){0,3}';

function withoutPan(value: string, pan: string): string {
  // Compiling the pattern costs far more than seeing that it cannot match, which is nearly always so.
  if (!value.includes('%20') && !value.replace(/\D+/g, '').includes(pan)) return value;
  return value.replace(new RegExp([...pan].join(BETWEEN_DIGITS), 'g'), maskPan(pan));
}
