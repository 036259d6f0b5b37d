import { checkedFields } from '../../relay/checkout/fields/check-fields.ts';
import { withFilled } from '../../relay/checkout/fields/filled.ts';
import type { Session } from '../../relay/payments/session.ts';
import { payByCard } from '../../shared/checkout/pay.ts';
import { createSession } from '../../shared/checkout/session.ts';
import { compare } from '../harness/micro.ts';
import { payRequest, sessionBody } from '../harness/payment.ts';
import type { Benchmark } from '../harness/report.ts';

/** So many different bodies, so that nothing is measured that holds for one alone. */
const BODIES = 100;

/** What a shopper typed, checked, written as it is sent and kept for the form, against `JSON.parse` of the body. */
export const fields: Benchmark = async () => {
  const clock = { now: () => new Date() };
  const session = benchSession();
  const texts = Array.from({ length: BODIES }, (_, number) => payRequest(number).body);
  const bodies = texts.map((text) => payByCard.parse(JSON.parse(text)));
  const { baseline_us, work_us } = compare(
    inTurn(texts, (text) => JSON.parse(text)),
    inTurn(bodies, (body) => [checkedFields(clock, session, body), withFilled(session.terms, body)]),
  );
  return {
    rows: [
      { what: 'JSON.parse of the body (baseline)', figures: { 'CPU µs': baseline_us, ratio: 1 } },
      { what: 'fields checked, written and kept', figures: { 'CPU µs': work_us, ratio: work_us / baseline_us } },
    ],
    targets: [],
    notes: [`The session collects every group of fields; the shopper types all of them, ${texts[0]?.length} bytes.`],
  };
};

function inTurn<Value>(values: readonly Value[], work: (value: Value) => unknown): () => unknown {
  let next = 0;
  return () => {
    const value = values[next++ % values.length];
    return value === undefined ? undefined : work(value);
  };
}

function benchSession(): Session {
  const { order, collect = [] } = createSession.parse(sessionBody('B-1'));
  return {
    id: 'cs_1',
    account: 'bench',
    order_no: order.order_no,
    created_at: '2026-11-21T11:00:00.000Z',
    expires_at: '2026-11-22T11:00:00.000Z',
    revision: 1,
    version: 1,
    terms: { order, collect, methods: [{ type: 'card' }], installment_options: [], saved_cards: [] },
    state: { status: 'open' },
  };
}
