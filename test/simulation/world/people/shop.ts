import type { WebhookResult } from '../../../../relay/webhooks/send-webhook.ts';
import { DAY } from '../../generate/message-plans.ts';
import { isOfBooks, receiverOf } from '../config.ts';
import { accountOf, nameIn } from '../orders.ts';
import type { World } from '../world.ts';

/** A webhook that the shop accepted. */
type Received = { id: string; type: string; subject: string; data: Record<string, unknown> };

/** The servers of the accounts' shops, which receive webhooks. */
export type Shop = {
  /** The webhooks that the first endpoint accepted, each once, in the order of their first arrival. */
  received: readonly Received[];
  /** The ids of the webhooks that the second endpoint accepted, in the order of their first arrival. Empty without such an endpoint. */
  receivedBySecond: ReadonlySet<string>;
  /** The current failure, and its end. The second endpoint fails independently. */
  trouble: { how: 'http_500' | 'http_410' | 'silent'; until: number };
  /** When each webhook was tried first and last. */
  tries: ReadonlyMap<string, { first: number; last: number }>;
  /** Whether it once answered 410. */
  wasGone(): boolean;
  /** People of the shop read an event that was given up or kept. */
  read(account: string, id: string, body: string): void;
  /** People of the shop request an event again that was given up. */
  sendAgain(id: string): void;
  /** The webhooks that arrived late after a 410, or through people. */
  late: ReadonlySet<string>;
  send: (
    url: string,
    headers: Readonly<Record<string, string>>,
    body: string,
    stopping: AbortSignal,
  ) => Promise<WebhookResult>;
  onReceived(listener: (webhook: Received) => void): void;
  /** Whether a webhook reported this transaction as a payment. */
  knowsOf(transaction: string): boolean;
};

const TRY_MS = 10_000;

export function createShop({ clock, say, random, breach }: World): Shop {
  const received: Received[] = [];
  const listeners: ((webhook: Received) => void)[] = [];
  const ids = new Set<string>();
  const paid = new Set<string>();
  const tries = new Map<string, { first: number; last: number }>();
  const late = new Set<string>();
  let wasGone = false;
  const trouble: Shop['trouble'] = { how: 'http_500', until: 0 };
  const draw = random('shop');
  const receivedBySecond = new Set<string>();
  const drawBooks = random('books');
  const sendToBooks = async (id: string): Promise<WebhookResult> => {
    await clock.wait(drawBooks.between(2, 60));
    if (drawBooks() < 0.2) return { kind: 'refused', fault: 'http_500' };
    receivedBySecond.add(id);
    return drawBooks() < 0.03 ? { kind: 'refused', fault: 'no_answer' } : { kind: 'accepted' };
  };

  const take = (account: string, id: string, body: string): void => {
    if (ids.has(id)) return;
    ids.add(id);
    const { type, data } = JSON.parse(body);
    if (data.order_no !== undefined) data.order_no = nameIn(account, data.order_no);
    if (data.order_no !== undefined && account !== accountOf(data.order_no))
      breach('only facts are reported', `${account} receives a webhook of ${data.order_no}`);
    const webhook = { id, type, subject: String(data.id ?? data.session_id), data };
    received.push(webhook);
    say(`shop: ${type} of ${webhook.subject} ${data.transaction_id ?? ''} ${data.paid_twice ?? ''}`);
    if (type === 'session.approved' || type === 'session.paid_twice') {
      for (const named of [data.transaction_id, ...(data.transaction_ids ?? []), ...(data.paid_twice ?? [])]) {
        if (named) paid.add(String(named));
      }
    }
    for (const listener of listeners) listener(webhook);
  };

  return {
    received,
    receivedBySecond,
    trouble,
    tries,
    late,
    wasGone: () => wasGone,
    read(account, id, body) {
      late.add(id);
      take(account, id, body);
    },
    sendAgain: (id) => void late.add(id),
    onReceived: (listener) => void listeners.push(listener),
    knowsOf: (transaction) => paid.has(transaction),
    send: async (url, headers, body) => {
      clock.stir();
      const id = headers['webhook-id'] ?? '';
      if (isOfBooks(url)) return sendToBooks(id);
      const before = tries.get(id);
      tries.set(id, { first: before?.first ?? clock.now(), last: clock.now() });
      if (wasGone && before && clock.now() - before.first >= DAY) late.add(id);
      const isInTrouble = trouble.until > clock.now();
      if (isInTrouble && trouble.how === 'silent') {
        await clock.wait(TRY_MS);
        return { kind: 'refused', fault: 'timeout' };
      }
      await clock.wait(draw.between(2, 60));
      if (isInTrouble) wasGone ||= trouble.how === 'http_410';
      if (isInTrouble) return { kind: 'refused', fault: trouble.how === 'http_410' ? 'http_410' : 'http_500' };
      take(url === receiverOf({ id: 'other' }) ? 'other' : 'demo', id, body);
      // If its answer is lost, it receives the same webhook again.
      const isLost = draw() < 0.03;
      await clock.wait(draw.between(2, 60));
      return isLost ? { kind: 'refused', fault: 'no_answer' } : { kind: 'accepted' };
    },
  };
}
