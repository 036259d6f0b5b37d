import { webhookSecret } from './server.ts';

/** A program in the shop's folder that calls the installed package and prints the results. */
export const FACTS = `import { MathBN } from '@medusajs/framework/utils';
import { TurnpikeProvider } from 'turnpike-medusa';
import { written } from './node_modules/turnpike-medusa/money.js';
import { restOf, surplusOf } from './node_modules/turnpike-medusa/rest.js';
import { notCancellable, refuseUnknownCapture } from './node_modules/turnpike-medusa/problems.js';
import { reasonOf } from './node_modules/turnpike-medusa/sent.js';
import { isLive } from './node_modules/turnpike-medusa/status.js';

const failure = async (fails) => {
  try {
    await fails();
  } catch (error) {
    return error;
  }
};
const options = { url: 'https://pay.example', apiKey: 'key', webhookSecret: '${webhookSecret}' };
const provider = new TurnpikeProvider({}, options);
const webhook = (headers) => failure(() => provider.getWebhookActionAndData({ data: {}, rawData: '{}', headers }));
const now = String(Math.floor(Date.now() / 1000));
const signed = { 'webhook-id': 'msg_1', 'webhook-timestamp': now, 'webhook-signature': 'v1,AAAA' };
const wrong = [{ ...options, url: '' }, { ...options, webhookSecret: '' }];
const errors = await Promise.all(wrong.map((one) => failure(() => TurnpikeProvider.validateOptions(one))));
const faulty = await Promise.all([-1, NaN].map((amount) => failure(() => written(amount, 'BRL'))));

const rowOf = (id, amount) => ({ id, amount: MathBN.convert(amount) });
const sentFor = (row_id, amount) => ({ operation_id: 'op_of_' + row_id, amount, row_id });
const rest = (id, total, rows, sent, others = []) =>
  restOf(id, { currency: 'BRL', rows, sent, surplus: surplusOf(total, rows, sent, others) }).toString();
/** The operations of equal rows, one after the other. */
const parts = (currency, amount, number) => {
  const [rows, sent] = [[], []];
  for (let at = 1; at <= number; at++) {
    rows.push(rowOf('row_' + at, amount));
    const part = restOf('row_' + at, { currency, rows, sent, surplus: MathBN.convert(0) });
    sent.push(sentFor('row_' + at, part.toString()));
  }
  return sent.map(({ amount }) => amount);
};
// An operation whose row Medusa has deleted, and two rows at the same time, in any order.
const lost = sentFor('row_deleted', '30.00');
const both = [rowOf('row_2', 30), rowOf('row_1', 30)];
const other = { operation_id: 'op_of_console', amount: '30.00' };

// A relay that refuses each session because its order is paid.
const payment = { transaction_id: 'T1', amount: '1.00', currency: 'BRL', proof: 'answer', status: 'cancelled' };
const sums = { captured: '0.00', refunded: '0.00', refund_undecided: '0.00', refundable: '0.00' };
const dates = { created_at: '2026-01-01T00:00:00.000Z', paid_at: '2026-01-01T00:00:00.000Z' };
const cancelled = { ...payment, ...sums, ...dates, capturable: '0.00', credited: true, order_no: 'A', operations: [] };
const sessionsWith = async (payments) => {
  let asked = 0;
  const order = { order_no: 'A', status: 'open', sessions: [], payments, amount: '1.00', currency: 'BRL' };
  globalThis.fetch = async (url) => {
    if (String(url).includes('/reconcile')) return Response.json({ ...order, ...sums, ...dates, needs_attention: false });
    asked++;
    const problem = { status: 409, code: 'order_already_paid', title: 'This order is already paid' };
    return Response.json(problem, { status: 409, headers: { 'content-type': 'application/problem+json' } });
  };
  const paymentSessionService = { retrieve: async () => ({ payment_collection_id: 'pay_col_1' }), list: async () => [] };
  const asking = new TurnpikeProvider({ paymentSessionService }, options);
  const input = { amount: 1, currency_code: 'brl', data: { session_id: 'payses_1' }, context: {} };
  return { message: (await failure(() => asking.initiatePayment(input))).message, asked };
};
const captureOf = (outcome) => ({ operations: [{ operation: 'capture', outcome }] });
const refundedRest = { status: 'refunded', amount: '10.00', captured: '4.00' };

console.log(JSON.stringify({
  isLive: ['0.00', '6.00'].map((capturable) => isLive({ ...refundedRest, capturable })),
  notCancellable: ['held', 'refunded', 'reversed', 'paid'].map((status) => notCancellable(status).message),
  unknownCapture: await Promise.all(
    ['unknown', 'succeeded'].map(async (outcome) => (await failure(() => refuseUnknownCapture(captureOf(outcome))))?.message ?? 'taken'),
  ),
  sessions: [await sessionsWith([]), await sessionsWith([cancelled])],
  written: [
    written(129.9, 'BRL'),
    written('107.245', 'BRL'),
    written(0.1, 'USD'),
    written({ value: '1000.5' }, 'JPY'),
    written('10.1255', 'KWD'),
    written('12345678901234.567', 'BRL'),
    written(5, 'BRL'),
  ],
  faulty: faulty.map(({ type }) => type),
  parts: [
    parts('JPY', '333.5', 3),
    parts('BRL', '33.335', 3),
    parts('KWD', '3.3335', 3),
    parts('BRL', '5.005', 2),
    parts('BRL', '53.6225', 2),
  ],
  atOnce: ['row_1', 'row_2'].map((id) => rest(id, '30.00', both, [lost])),
  afterwards: rest('row_3', '60.00', [...both, rowOf('row_3', 10)], [lost, sentFor('row_2', '30.00')]),
  beside: rest('row_1', '30.00', [rowOf('row_1', 30)], [other], [other]),
  reasons: [reasonOf('x'.repeat(1001)).length, reasonOf('x'.repeat(999) + '\\u{1F375}').length, reasonOf(undefined)],
  unsigned: (await webhook({})).code,
  forged: (await webhook(signed)).code,
  wrongOptions: errors.map(({ name }) => name),
}));
`;
