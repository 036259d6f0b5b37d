import type { OperationAnswer, OperationSummary } from '../../shared/api/operation.ts';
import { isObject } from '../../shared/checkout/is-object.ts';
import { Link, useApp } from '../app/app.tsx';
import { fill, type Words } from '../locales/words.ts';
import { Badge, type Tone } from './state.tsx';
import { Code, Foreign, isolated, money } from './text.tsx';

type Request = Readonly<Record<string, unknown>>;

/** The amount of a payout: what the payee receives, or else what leaves our account. */
export function payoutSum({ payment_amount, payment_currency, source_amount, source_currency }: Request) {
  const [amount, currency] =
    payment_amount === undefined ? [source_amount, source_currency] : [payment_amount, payment_currency];
  return typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : undefined;
}

/** The payee of a payout: a name and the end of the account number, or the gateway's id. Empty if the request names neither. */
export function payeeParts({ payouts }: Words, { beneficiary, beneficiary_id }: Request): string[] {
  const known = texts(beneficiary);
  const bank = texts(isObject(beneficiary) ? beneficiary.bank_details : undefined);
  const name = known.company_name ?? [known.first_name, known.last_name].filter((part) => part).join(' ');
  const number = bank.iban ?? bank.account_number;
  return [
    ...(name ? [isolated(name)] : []),
    ...(number ? [fill(payouts.account, { ending: isolated(ending(number)) })] : []),
    ...(typeof beneficiary_id === 'string' ? [fill(payouts.beneficiary, { id: isolated(beneficiary_id) })] : []),
  ];
}

/** The payee as one text, for a sentence; undefined if the request names none. */
export function payeeOf(words: Words, request: Request): string | undefined {
  const parts = payeeParts(words, request);
  return parts.length === 0 ? undefined : parts.join(', ');
}

function ending(number: string): string {
  const plain = number.replace(/\s/g, '');
  return plain.startsWith('••••') || plain.length < 8 ? number : `•••• ${plain.slice(-4)}`;
}

function texts(of: unknown): Readonly<Record<string, string | undefined>> {
  if (!isObject(of)) return {};
  return Object.fromEntries(
    Object.entries(of).filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== ''),
  );
}

/** The state of a payout. An unknown outcome is a state of its own. */
type PayoutState = keyof Words['payouts']['states'];

function payoutState({ status, items: [outcome] = [] }: Pick<OperationSummary, 'status' | 'items'>): PayoutState {
  switch (status) {
    case 'in_flight':
      return 'sending';
    case 'not_sent':
    case 'refused':
    case 'unknown':
      return status;
    case 'answered':
    case 'settled':
      return outcome === 'succeeded' ? 'paid' : outcome === 'failed' ? 'failed' : 'on_its_way';
  }
}

const tones: Readonly<Record<PayoutState, Tone>> = {
  sending: 'busy',
  on_its_way: 'busy',
  paid: 'good',
  failed: 'bad',
  refused: 'bad',
  not_sent: 'quiet',
  unknown: 'open',
};

export function PayoutBadge({ payout }: { payout: Pick<OperationSummary, 'status' | 'items'> }) {
  const { words } = useApp();
  const state = payoutState(payout);
  return <Badge tone={tones[state]}>{words.payouts.states[state]}</Badge>;
}

/** The requests of an operation's items. An operation that is no batch has one item. */
export function itemsOf({ request }: Pick<OperationAnswer, 'request'>): Record<string, unknown>[] {
  const list = Object.values(request).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.filter(isObject) : [request];
}

/** The amount of an item, and its order. */
export function ItemText({ item }: { item: Record<string, unknown> }) {
  const { locale, words } = useApp();
  const { order_no, transaction_id, recurring_id, currency, refund_amount } = item;
  const { amount = refund_amount ?? item.amount, currency: of = currency } = payoutSum(item) ?? {};
  const payee = payeeOf(words, item);
  return (
    <>
      {typeof amount === 'string' && typeof of === 'string' && <strong>{money(locale, of, amount)}</strong>} {payee}
      {typeof order_no === 'string' && (
        <Link to={{ page: 'order', orderNo: order_no }}>
          <Foreign text={order_no} />
        </Link>
      )}{' '}
      {typeof transaction_id === 'string' && <Code text={transaction_id} />}
      {typeof recurring_id === 'string' && <Code text={recurring_id} />}
    </>
  );
}
