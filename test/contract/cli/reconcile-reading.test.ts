import { describe, expect, it } from 'vitest';
import { operations } from '../../../shared/gateway/operations.ts';
import { identity } from '../../support/gateways/operation-cases.ts';
import { sendRecords, sendSigned } from '../../support/gateways/scripted-gateway.ts';
import {
  approvedAs,
  ordersOf,
  patient,
  paymentAnswers,
  type Settlement,
  setUpSettlement,
  stores,
  storesOf,
} from '../../support/gateways/settlement.ts';
import { cli, jsonLines } from '../../support/operators/cli.ts';
import { apiKey } from '../../support/relays/relay.ts';

describe.each(stores)('turnpike reconcile reads answers like the relay, on %s', (kind) => {
  const newStore = storesOf(kind);

  /** A paid order at a gateway that answers queries about orders with these records, or without a list. */
  async function paid(profile: object, records?: (orderNo: string) => object) {
    const stack = await setUpSettlement(newStore, { resolve: patient, profile: { ...profile } });
    const { scripts, session, byCard } = stack;
    scripts.pay = approvedAs('T1');
    const { secret, orderNo } = await session();
    expect((await byCard(secret)).body).toMatchObject({ status: 'approved' });
    scripts.query = (received, res) => {
      if (received.path === operations.refund_search.path)
        return sendSigned(res, { ...identity, return_status: '1', refund_orders: [] });
      if (!received.message.orders) return sendRecords(res, []);
      if (records) return sendRecords(res, ordersOf(received).map(records));
      sendRecords(res, [], { orders_list: undefined });
    };
    return { ...stack, orderNo };
  }

  async function reconciled({ relay }: Settlement) {
    const env = { TURNPIKE_URL: relay.url, TURNPIKE_API_KEY: apiKey };
    // Half an hour later no payment of the test is in flight.
    const now = () => new Date(Date.now() + 1_800_000);
    const { out, code } = await cli(['reconcile', '--from', '1d', '--json', '--no-report'], { env, io: { now } });
    return { code, lines: jsonLines(out) };
  }

  it('a record that reports no payment counts as no record', async () => {
    const codes = { query_result: { not_found: ['404'] } };
    const stack = await paid({ codes }, (order_no) => ({ order_no, query_result: '404' }));
    stack.scripts.pay = paymentAnswers.declined;
    expect((await stack.byCard((await stack.session()).secret)).body).toMatchObject({ status: 'declined' });
    expect(await reconciled(stack)).toMatchObject({
      code: 4,
      lines: [
        { class: 'missing_there', order_no: stack.orderNo },
        { summary: { orders: 2, differing: 1, uncompared: 0 } },
      ],
    });
  });

  it('an answer without a list proves no absence', async () => {
    const stack = await paid({});
    expect(await reconciled(stack)).toMatchObject({
      code: 3,
      lines: [
        { class: 'unknown', order_no: stack.orderNo, reason: 'cannot_be_asked' },
        { summary: { differing: 0, uncompared: 1 } },
      ],
    });
  });

  it('an answer without a list is empty if the profile says so', async () => {
    expect(await reconciled(await paid({ query_without_list: 'empty' }))).toMatchObject({
      code: 4,
      lines: [{ class: 'missing_there' }, { summary: { differing: 1 } }],
    });
  });
});
