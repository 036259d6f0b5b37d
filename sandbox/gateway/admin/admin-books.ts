import { fromMinor } from '../../../shared/gateway/amounts.ts';
import { type Html, html } from '../../../shared/pages/html.ts';
import type { Books } from '../books/books.ts';
import type { Contract } from '../books/contract.ts';
import { leftToCapture, type Payment, type StatusOf } from '../books/payments.ts';
import { type Payout, payoutRecord } from '../books/payouts.ts';
import { type Refund, refundRecord } from '../books/refunds.ts';
import { orderStatus, reasonOf, recurringStatus } from '../books/states.ts';
import { maskText } from '../messages/mask.ts';
import { actionsFor, paymentActions } from './payment-actions.ts';

type View = ReturnType<typeof viewOf>;
type Row = { cells: readonly (string | Html)[]; actions: readonly Action[] };
type Action = { path: string; label: string; name?: string; value?: string };

const SHOWN = 50;

/** The records, newest first, each with its possible actions. */
export function booksAtAGlance(books: Books): Html {
  const { payments, refunds, contracts, payouts } = viewOf(books);
  return html`${table('Payments', ['Order', 'Amount', 'State', 'Left to refund', 'Made'], payments.map(paymentRow))}
${table('Refunds', ['Order', 'Amount', 'State', 'Reference', 'Made'], refunds.map(refundRow))}
${table('Subscriptions', ['Contract', 'Amount', 'State', 'Running period', 'recurring_id'], contracts.map(contractRow))}
${table('Payouts', ['Reference', 'Amount', 'State', 'request_id', 'Made'], payouts.map(payoutRow))}`;
}

type PaymentLine = View['payments'][number];

function paymentRow(payment: PaymentLine): Row {
  const { order_no, amount, currency, status, review, left_to_refund, at, cycle } = payment;
  const path = `/admin/forms/payments/${payment.transaction_id}`;
  const held = status === 'approved' && review === 'held';
  return {
    cells: [
      order_no,
      `${amount} ${currency}`,
      `${stateText(payment)}${held ? ', held for review' : ''}${cycle > 1 ? `, charge ${cycle}` : ''}`,
      status === 'approved' ? left_to_refund : '',
      shortTime(at),
    ],
    actions: actionsFor(payment).map((value) => ({ path, label: paymentActions[value].label, name: 'choice', value })),
  };
}

function stateText({ status, captured, decline_reason, left_to_refund, amount, expires_at }: PaymentLine): string {
  switch (status) {
    case 'undecided':
      return 'at the issuer';
    case 'pending':
      return 'pending';
    case 'approved': {
      const ends = decline_reason || (expires_at && `to ${shortTime(expires_at)}`);
      const taken = captured ? `captured ${captured}` : 'authorised';
      const isReturned = captured !== '' && left_to_refund !== captured;
      return [taken, isReturned ? 'refunded' : '', captured === amount ? '' : ends].filter(Boolean).join(', ');
    }
    case 'charged_back':
      return decline_reason;
    case 'declined':
    case 'cancelled':
      return `${status}: ${decline_reason}`;
  }
}

function refundRow(refund: View['refunds'][number]): Row {
  const { order_no, refund_amount, currency, refund_reference_id, refund_date, refund_processing_date } = refund;
  const reference = refund_reference_id ?? '';
  const processed = Boolean(refund_processing_date);
  return {
    cells: [
      order_no ?? '',
      `${refund_amount} ${currency}`,
      processed ? 'processed' : 'accepted, not processed',
      html`<code>${reference}</code>`,
      digitTime(refund_date ?? ''),
    ],
    actions: processed ? [] : [{ path: `/admin/forms/refunds/${reference}/process`, label: 'Process' }],
  };
}

function contractRow(contract: View['contracts'][number]): Row {
  const { contract_name, recurring_id, amount, status, interval, period } = contract;
  const path = `/admin/forms/contracts/${recurring_id}/periods`;
  return {
    cells: [
      contract_name,
      amount,
      status,
      period ? periodText(period) : interval === null ? 'never charged by itself' : '',
      html`<code>${recurring_id}</code>`,
    ],
    actions:
      period?.status === 'open'
        ? [
            { path: `${path}/charge`, label: 'Charge the period now' },
            { path: `${path}/decline`, label: 'Decline the period now' },
            { path: `${path}/cancel`, label: 'Cancel the period' },
          ]
        : [],
  };
}

function periodText({ number, to, status }: NonNullable<View['contracts'][number]['period']>): string {
  return `${number}: to ${shortTime(to)}${status === 'open' ? '' : `, ${status}`}`;
}

function payoutRow(payout: View['payouts'][number]): Row {
  const { reference, request_id, status, failure_reason, created_at } = payout;
  const amount = payout.payment_amount
    ? `${payout.payment_amount} ${payout.payment_currency ?? ''}`
    : `${payout.source_amount ?? ''} ${payout.source_currency ?? ''}`;
  const state = failure_reason ? `${status}: ${failure_reason}` : (status ?? '');
  return {
    cells: [reference, amount, state, html`<code>${request_id ?? ''}</code>`, shortTime(created_at ?? '')],
    actions: [],
  };
}

function table(title: string, heads: readonly string[], rows: readonly Row[]): Html {
  const id = title.toLowerCase();
  const newest = rows.toReversed().slice(0, SHOWN);
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${
  newest.length === 0
    ? html`<p class="none">None yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}"><table>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}<th scope="col">Decide</th></tr></thead>
<tbody>${newest.map((row) => html`<tr>${row.cells.map((cell, at) => html`<td data-head="${heads[at]}">${cell}</td>`)}<td>${decisions(row)}</td></tr>`)}</tbody>
</table></div>`
}
${rows.length > SHOWN ? html`<p class="none">The last ${SHOWN} of ${rows.length}.</p>` : undefined}
</section>`;
}

/** Each button names its line, for people who cannot see the line beside it. */
function decisions({ cells, actions }: Row): Html {
  const [about = ''] = cells;
  return html`${actions.map(
    ({ path, label, name, value }) =>
      html`<form class="decision" method="post" action="${path}">${name && html`<input type="hidden" name="${name}" value="${value}">`}<button aria-label="${label}: ${String(about)}">${label}</button></form>`,
  )}`;
}

function shortTime(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

/** YYYYMMDDHHMMSS in the form of the other times. */
function digitTime(digits: string): string {
  return digits.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d).*$/, '$1-$2-$3 $4:$5');
}

/** The records as the admin API shows them: without the bank data of payouts. Records contain no card data. */
export function viewOf({ payments, refunds, contracts, payouts, statusOf }: Books) {
  return {
    payments: payments.list().map((payment) => ({
      ...paymentView(payment, statusOf),
      left_to_refund: refunds.left(payment),
    })),
    refunds: refunds.list().map((refund) => refundView(refund, statusOf)),
    contracts: contracts.list().map(contractView),
    payouts: payouts.list().map(payoutView),
  };
}

function paymentView(payment: Payment, statusOf: StatusOf) {
  const { state, review, subscription, order, transaction_id, at } = payment;
  return {
    ...accountOf(payment),
    order_no: maskText(order.order_no),
    transaction_id,
    amount: order.amount,
    currency: order.currency,
    at: at.toISOString(),
    status: state.status,
    captured: state.status === 'approved' ? (state.captured ?? '') : '',
    left_to_capture: fromMinor(leftToCapture(payment), order.currency),
    expires_at: payment.byHand?.expiresAt?.toISOString() ?? '',
    review,
    order_status: orderStatus(payment),
    payment_status: state.status === 'undecided' ? '' : statusOf(payment),
    decline_reason: reasonOf(payment),
    recurring_id: subscription?.contract.recurring_id ?? '',
    cycle: subscription?.cycle ?? 0,
  };
}

function refundView(refund: Refund, statusOf: StatusOf) {
  const { order_no, refund_reason, ...record } = refundRecord(refund, statusOf);
  return {
    ...accountOf(refund.payment),
    ...record,
    order_no: maskText(order_no ?? ''),
    refund_reason: maskText(refund_reason ?? ''),
  };
}

function contractView(contract: Contract) {
  const { recurring_id, contract_name, status, terms, period } = contract;
  return {
    ...accountOf(contract),
    recurring_id,
    contract_name: maskText(contract_name),
    status,
    recurring_status: recurringStatus(contract),
    amount: terms.amount,
    interval: terms.interval ?? null,
    starts_at: terms.startsAt.toISOString(),
    ends_at: terms.endsAt?.toISOString() ?? null,
    billing_cycle: terms.cycles ?? null,
    promotion_cycle: terms.promotionCycles,
    period: period
      ? { number: period.number, from: period.from.toISOString(), to: period.to.toISOString(), status: period.status }
      : null,
  };
}

function payoutView(payout: Payout) {
  const { request_id, transaction_id, short_reference_id, reference, ...record } = payoutRecord(payout);
  const { payment_amount, payment_currency, source_amount, source_currency, fee_amount, fee_currency } = record;
  return {
    ...accountOf(payout.request),
    request_id,
    transaction_id,
    short_reference_id,
    reference: maskText(reference ?? ''),
    payment_amount,
    payment_currency,
    source_amount,
    source_currency,
    fee_amount,
    fee_currency,
    status: record.status,
    failure_type: record.failure_type,
    failure_reason: record.failure_reason,
    created_at: record.created_at,
    last_updated_at: record.last_updated_at,
  };
}

function accountOf({ merchant_id, account_id }: { merchant_id: string; account_id: string }) {
  return { merchant_id, account_id };
}
