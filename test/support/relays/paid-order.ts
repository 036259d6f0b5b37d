import { expect } from 'vitest';
import { notificationReceived } from '../../../shared/api/webhook.ts';
import { sign } from '../../../shared/gateway/signature.ts';
import { notifyPath } from '../gateways/notified.ts';
import { type Received, sendRecords } from '../gateways/scripted-gateway.ts';
import { approvedAs, patient, setUpSettlement } from '../gateways/settlement.ts';
import { until } from '../time/until.ts';
import { account } from './relay.ts';

const DAY_MS = 86_400_000;

/** A notification as the gateway signs it. */
export const signedBody = (fields: Record<string, unknown>): string => {
  const { merchant_id, account_id } = account;
  const message = { merchant_id, account_id, ...fields };
  return JSON.stringify({ ...message, encryption_data: sign(message, account.signingSecret) });
};

/** The orders or the transactions that a query names. */
export const namesIn = ({ message }: Received, list: 'orders' | 'trades'): string[] =>
  String(message[list] ?? '').split(',');

/**
 * A paid order, a day old by default, at a gateway whose queries find orders and transactions. Afterwards the relay's clock is set
 * back by `behindMs`. The shop rejects webhooks until the clock is right again.
 */
export async function setUpPaid(
  newStore: Parameters<typeof setUpSettlement>[0],
  options: { ageMs?: number; behindMs?: number; resolve?: object } = {},
) {
  const { ageMs = DAY_MS, behindMs = 0, resolve = patient } = options;
  const clock = { behindMs: ageMs + behindMs };
  const now = () => new Date(Date.now() - clock.behindMs);
  const stack = await setUpSettlement(newStore, { resolve, now });
  const { books, relay, scripts, session, byCard, shop } = stack;
  scripts.pay = approvedAs('T1');
  scripts.query = (received, res) => {
    const { records } = books;
    const found = records.filter(
      ({ order_no, transaction_id }) =>
        namesIn(received, 'orders').includes(String(order_no)) ||
        namesIn(received, 'trades').includes(String(transaction_id)),
    );
    sendRecords(res, found);
  };
  const paid = await session();
  expect((await byCard(paid.secret)).body).toMatchObject({ status: 'approved' });
  books.write(paid.orderNo, 'T1', '3000');
  clock.behindMs = behindMs;
  const path = notifyPath(relay, paid.id);
  const notify = async (body: string) => {
    const { status } = await relay.send(path, { method: 'POST', body });
    expect(status).toBe(200);
  };
  const forwarded = () => shop.received.filter(({ type }) => type === 'notification.received');
  const waitForWebhooks = async (count: number) => {
    await until(`${count} notifications forwarded`, () => forwarded().length >= count);
    return forwarded().map(({ data }) => notificationReceived.parse(data));
  };
  /** Waits until the relay has forwarded or dropped every notification. */
  const idle = () =>
    until(
      'no notification waits',
      async () => (await relay.context.store.notifications.listWaiting([paid.id], 9)).length === 0,
    );
  return { ...stack, clock, paid, path, notify, forwarded, waitForWebhooks, idle };
}
