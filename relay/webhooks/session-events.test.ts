import { describe, expect, it } from 'vitest';
import { order } from '../../shared/checkout/session.ts';
import { testContext } from '../../test/support/context.ts';
import type { Attempt, AttemptState, Session, SessionState } from '../payments/session.ts';
import { withState } from '../payments/transitions.ts';
import { sessionEvents } from './session-events.ts';

const webhook = { url: 'https://shop.example/webhooks', secrets: [`whsec_${Buffer.alloc(24).toString('base64')}`] };
const now = new Date('2026-03-01T12:00:00.000Z');
const result = { code: '2001', message: 'Insufficient funds' };

const open: SessionState = { status: 'open' };
const processing: SessionState = { status: 'processing', attempt_id: 'at_1' };
const redirected: SessionState = { status: 'redirected', attempt_id: 'at_1', next_look_at: '' };
const declined: SessionState = { status: 'open', notice: 'declined', advice: 'contact_bank', result };
const notPaid: SessionState = { status: 'open', notice: 'not_paid' };
const failed: SessionState = { status: 'failed', result };
const expired: SessionState = { status: 'expired' };
const approved: SessionState = { status: 'approved', attempt_id: 'at_1', transaction_id: 'T1' };
const unknown = (looks = 0, needs_attention = false): SessionState => ({
  status: 'unknown',
  attempt_id: 'at_1',
  search: { reason: 'timeout', since: '', next_look_at: '', looks, absent_looks: 0, needs_attention },
});

function sessionIn(state: SessionState, expires_at = '2026-03-02T00:00:00.000Z'): Session {
  return {
    id: 'cs_1',
    account: 'demo',
    order_no: 'A',
    created_at: '2026-03-01T11:00:00.000Z',
    expires_at,
    revision: 1,
    version: 1,
    terms: {
      order: order.parse({ order_no: 'A', currency: 'BRL', amount: '10.00', shopper_email: 'ada@example.com' }),
      methods: [{ type: 'card' }],
      installment_options: [],
      saved_cards: [],
      collect: [],
    },
    state,
  };
}

const attempt = (state: AttemptState, id = 'at_1', session_id = 'cs_1'): Attempt => ({
  id,
  session_id,
  account: 'demo',
  order_no: 'A',
  method: 'card',
  card: '411111******1111',
  amount: '10.00',
  currency: 'BRL',
  started_at: '2026-03-01T11:59:00.000Z',
  state,
});

async function eventsOf(before: Session, after: SessionState, changed?: Attempt) {
  const context = await testContext({ account: { webhook }, now: () => now });
  await context.store.createSession(sessionIn(open));
  const started = withState(sessionIn(open), processing);
  await context.store.startAttempt(started, attempt({ status: 'in_flight' }), []);
  const change = { session: withState(before, after), ...(changed ? { attempt: changed } : {}) };
  return sessionEvents(context, before, change);
}

const dataOf = (body: string | undefined): Record<string, unknown> => JSON.parse(body ?? '{}').data;

describe('the webhooks of a session', () => {
  it.each<[string, SessionState, SessionState, string | undefined]>([
    ['is paid', processing, approved, 'session.approved'],
    ['is declined and may be tried again', processing, declined, 'session.declined'],
    ['is declined for good', processing, failed, 'session.failed'],
    ['goes to the issuer’s page', processing, redirected, 'session.redirected'],
    ['is not known', processing, unknown(), 'session.unknown'],
    ['is not known after the issuer’s page', redirected, unknown(), 'session.unknown'],
    ['is still not known', unknown(3), unknown(4), undefined],
    ['needs a person now', unknown(3), unknown(4, true), 'session.unknown'],
    ['still needs a person', unknown(4, true), unknown(5, true), undefined],
    ['is found paid', unknown(), approved, 'session.approved'],
    ['is found declined', unknown(), declined, 'session.declined'],
    ['is found unpaid', unknown(), notPaid, 'session.declined'],
    ['is found declined for good', unknown(), failed, 'session.failed'],
    ['is declined at the issuer’s page', redirected, declined, 'session.declined'],
    ['was left at the issuer’s page', redirected, notPaid, undefined],
    ['waits on at the issuer’s page', redirected, { ...redirected, next_look_at: 'later' }, undefined],
    ['runs out of time', open, expired, 'session.expired'],
    ['is paid after it was over', failed, approved, 'session.approved'],
    ['is paid once more', approved, { ...approved, paid_twice: ['T2'] }, 'session.paid_twice'],
    [
      'knows that it is paid twice',
      { ...approved, paid_twice: ['T2'] },
      { ...approved, paid_twice: ['T2'] },
      undefined,
    ],
    ['was not sent', processing, open, undefined],
    ['is being paid', open, processing, undefined],
    ['has learnt of an attempt before, while open', declined, declined, undefined],
    ['has learnt of an attempt before, when over', expired, expired, undefined],
  ])('when it %s', async (_, before, after, type) => {
    const events = await eventsOf(sessionIn(before), after);
    expect(events.map((event) => event.type)).toEqual(type === undefined ? [] : [type]);
  });

  it('carry the session as the shop sees it, with the attempt as it is now', async () => {
    const paid = attempt({ status: 'approved' });
    const [event] = await eventsOf(sessionIn(processing), { ...approved, recurring_id: 'R1' }, paid);
    expect(event).toMatchObject({ account: 'demo', subject: 'cs_1', created_at: now.toISOString() });
    expect(event?.id).toMatch(/^msg_[\w-]{32}$/);
    expect(JSON.parse(event?.body ?? '')).toEqual({
      type: 'session.approved',
      timestamp: now.toISOString(),
      data: expect.objectContaining({
        id: 'cs_1',
        status: 'approved',
        order_no: 'A',
        amount: '10.00',
        transaction_id: 'T1',
        recurring_id: 'R1',
        attempts: [expect.objectContaining({ id: 'at_1', status: 'approved', card: '411111******1111' })],
      }),
    });
  });

  it('say `late` only for a payment of a session that was over', async () => {
    const past = '2026-03-01T11:30:00.000Z';
    for (const before of [sessionIn(failed), sessionIn(expired), sessionIn(notPaid, past)]) {
      expect(dataOf((await eventsOf(before, approved))[0]?.body)).toMatchObject({ late: true });
    }
    for (const before of [sessionIn(processing, past), sessionIn(unknown()), sessionIn(notPaid)]) {
      expect(dataOf((await eventsOf(before, approved))[0]?.body)).not.toHaveProperty('late');
    }
  });

  it('tell both transactions of an order that is paid twice, under one id whoever finds it', async () => {
    const first = await eventsOf(sessionIn(approved), { ...approved, paid_twice: ['T2'] });
    expect(dataOf(first[0]?.body)).toMatchObject({ transaction_ids: ['T1', 'T2'], paid_twice: ['T1', 'T2'] });
    const again = await eventsOf({ ...sessionIn(approved), id: 'cs_2' }, { ...approved, paid_twice: ['T2'] });
    expect(again[0]?.id).toBe(first[0]?.id);
    const other = await eventsOf(sessionIn(approved), { ...approved, paid_twice: ['T3'] });
    expect(other[0]?.id).not.toBe(first[0]?.id);
  });

  it('tell of a session that is the second to be paid that it is, and that it is one too many', async () => {
    const events = await eventsOf(sessionIn(expired), { ...approved, transaction_id: 'T2', paid_twice: ['T1'] });
    expect(events.map(({ type }) => type)).toEqual(['session.approved', 'session.paid_twice']);
    expect(dataOf(events[0]?.body)).toMatchObject({ late: true });
    expect(dataOf(events[1]?.body)).toMatchObject({ transaction_id: 'T2', transaction_ids: ['T1', 'T2'] });
  });

  it('are none for an account without a receiver', async () => {
    const context = await testContext();
    const before = sessionIn(processing);
    expect(await sessionEvents(context, before, { session: withState(before, approved) })).toEqual([]);
  });
});
