import { describe, expect, it } from 'vitest';
import {
  DAY,
  declinedOf,
  HOUR,
  lost,
  MINUTE,
  type Resolving,
  record,
  SECOND,
  setUpResolving,
} from '../../test/support/resolving.ts';
import type { Outcome } from '../gateway/outcome.ts';
import type { Session } from '../payments/session.ts';
import { lookAt } from './look.ts';

const redirect: Outcome = { kind: 'redirect', issuer_url: 'https://bank.example/' };
const refused: Outcome = { kind: 'refused', result: { code: 'http_400', message: '' }, evidence: { http_status: 400 } };

const comeBack = async ({ context, account, stored }: Resolving, { id }: Session): Promise<unknown> =>
  lookAt(context, account, [await stored(id)], 'shopper_is_back');

/** Every way into `unknown`, with the reason that the shop is told. */
const waysIn: Record<string, (relay: Resolving, session: Session) => Promise<void>> = {
  async timeout({ pay }, session) {
    await pay(session, lost);
  },
  async pending(relay, session) {
    await relay.pay(session, redirect);
    relay.books.records = [record('A', 'T1', '2000')];
    await comeBack(relay, session);
  },
  async codes_not_listed(relay, session) {
    await relay.pay(session, redirect);
    relay.books.records = [record('A', 'T1', '77')];
    await comeBack(relay, session);
  },
  async query_failed(relay, session) {
    await relay.pay(session, redirect);
    relay.books.change = { return_status: '0' };
    await comeBack(relay, session);
  },
  async left_at_issuer({ pay, pass, round }, session) {
    await pay(session, redirect);
    pass(DAY);
    await round();
  },
  async relay_stopped({ pay, pass, round }, session) {
    await pay(session);
    pass(MINUTE);
    await round();
  },
};

/** Every way out: what the gateway then tells, and what the shop. */
const waysOut: Record<string, { records: ReturnType<typeof record>[]; type: string; status: string }> = {
  approved: { records: [record('A', 'T1', '3000')], type: 'session.approved', status: 'approved' },
  declined: { records: [record('A', 'T1', '4100')], type: 'session.declined', status: 'open' },
  absent: { records: [], type: 'session.declined', status: 'open' },
};

const limits = { attempts_per_session: 1 };
const codes = { payment_status: { approved: ['3000'], declined: ['4100'], pending: ['2000'] } };
const gateway = { base_url: 'http://127.0.0.1:8081', profile: { codes } };

async function unknownBy(reason: string, config: object = {}) {
  const relay = await setUpResolving({ gateway, ...config });
  const session = await relay.session('A', { expires_in: 86_400 });
  await waysIn[reason]?.(relay, session);
  const told = await relay.webhooks(session);
  expect(await relay.truth(session)).toMatchObject({ status: 'unknown', unknown: { reason } });
  expect(told.filter(({ type }) => type === 'session.unknown')).toHaveLength(1);
  expect(told.at(-1)).toMatchObject({ type: 'session.unknown', data: { status: 'unknown', unknown: { reason } } });
  relay.books.change = {};
  return { ...relay, session, before: told.length };
}

/** Looks for an hour, so that whoever told twice would be seen. */
async function lookOn({ pass, round }: Pick<Resolving, 'pass' | 'round'>): Promise<void> {
  pass(SECOND);
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await round();
    pass(HOUR / 12);
  }
}

describe('the shop is told once that a payment is unknown, and once how that ended', () => {
  for (const reason of Object.keys(waysIn)) {
    for (const [ending, { records, type, status }] of Object.entries(waysOut)) {
      it(`${reason}, then ${ending}`, async () => {
        const relay = await unknownBy(reason);
        relay.books.records = records;
        await lookOn(relay);
        const told = (await relay.webhooks(relay.session)).slice(relay.before);
        // One whose time is over is then closed, as any open session is.
        const after = told.filter((one) => one.type !== 'session.expired');
        expect(after).toHaveLength(1);
        // An open session whose time is over is shown as expired.
        const ended = reason === 'left_at_issuer' && status === 'open' ? 'expired' : status;
        expect(after[0]).toMatchObject({ type, data: { status: ended } });
        expect(after[0]?.data).not.toHaveProperty('unknown');
      });
    }
  }

  it('and that it failed, where it was the last attempt', async () => {
    for (const ending of ['declined', 'absent']) {
      const relay = await unknownBy('timeout', { limits });
      relay.books.records = waysOut[ending]?.records ?? [];
      await lookOn(relay);
      expect((await relay.webhooks(relay.session)).slice(relay.before).map(({ type }) => type)).toEqual([
        'session.failed',
      ]);
    }
  });

  it('and that the gateway refused a message while an earlier attempt was never proved unpaid', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.leave(session);
    await relay.pay(session, refused);
    expect(await relay.truth(session)).toMatchObject({
      status: 'unknown',
      unknown: { reason: 'gateway_refused' },
      attempts: [{ status: 'not_paid' }, { status: 'unknown', evidence: { http_status: 400 } }],
    });
    relay.books.records = [record('A', 'T1', '4100'), record('A', 'T2', '4100')];
    await lookOn(relay);
    const types = (await relay.webhooks(session)).map(({ type }) => type);
    expect(types).toEqual(['session.unknown', 'session.declined', 'session.unknown', 'session.declined']);
  });

  it('but not where the gateway refused a message of which nothing was left behind', async () => {
    const relay = await setUpResolving();
    const session = await relay.session('A');
    await relay.pay(session, declinedOf('T1'));
    relay.pass(1);
    await relay.pay(session, refused);
    expect(await relay.truth(session)).toMatchObject({
      status: 'open',
      attempts: [
        { status: 'declined' },
        { status: 'refused', result: { code: 'http_400' }, evidence: { http_status: 400 } },
      ],
    });
    expect((await relay.webhooks(session)).map(({ type }) => type)).toEqual(['session.declined', 'session.declined']);
  });
});
