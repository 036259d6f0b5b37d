import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { notificationToken } from '../../../relay/base/keys.ts';
import { card, startTestRelay, type TestRelay } from '../relays/relay.ts';
import { approval, type Script, scriptedGateway, sendRecords, sendXml, signedXml } from './scripted-gateway.ts';

/** The gateway's data about payments, by order_no: the payment_status that a query returns, or none. */
type Books = Map<string, string>;

/** A poller that queries nothing for an hour, unless a notification makes it due. */
const patient = { resolve: { first_ms: 3_600_000, max_ms: 3_600_000 } };

/**
 * A relay whose gateway answers no payment, so that each is unknown, and whose queries return what the test has
 * written.
 */
export async function setUpNotified(options: { config?: object; now?: () => Date } = {}) {
  const books: Books = new Map();
  const script: Script = (received, res) => {
    if (received.path === '/v1/retrievalTrans')
      return sendRecords(res, recordsOf(received.message.orders, books, paid));
    paid.set(String(received.message.order_no), received.message);
    if (books.get(String(received.message.order_no)) === 'answered') sendXml(res, signedXml(approval(received)));
    else res.destroy();
  };
  const paid = new Map<string, Record<string, unknown>>();
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({
    gatewayUrl: gateway.url,
    config: { ...patient, ...options.config },
    ...(options.now ? { now: options.now } : {}),
  });
  /** A session whose payment is unknown, and the path of its notify_url. */
  const unknownPayment = async () => {
    const session = await relay.session();
    const { body } = await relay.pay(session.secret, card);
    if (body.status !== 'unknown') throw new Error(`the payment is ${body.status}`);
    const url = new URL(String(paid.get(session.orderNo)?.notify_url));
    return { ...session, path: url.pathname };
  };
  return {
    books,
    gateway,
    relay,
    unknownPayment,
    notify: (path: string, body: string | Buffer = '', headers: Record<string, string> = {}) =>
      relay.send(path, { method: 'POST', headers, body: new Uint8Array(Buffer.from(body)) }),
    stored: () => storedNotifications(relay),
  };
}

/** The path of a session's notify_url. */
export function notifyPath({ context }: TestRelay, id: string): string {
  const [account] = context.config.accounts;
  if (!account) throw new Error('no account');
  return `/notify/payment/${id}/${notificationToken(account, 'payment', id)}`;
}

/** The notifications in the relay's store, oldest first. */
export function storedNotifications({ folder }: TestRelay): Record<string, unknown>[] {
  const db = new DatabaseSync(join(folder, 'turnpike.db'), { readOnly: true });
  try {
    return db.prepare('SELECT * FROM notifications ORDER BY received_at, sha256').all();
  } finally {
    db.close();
  }
}

function recordsOf(orders: unknown, books: Books, paid: Map<string, Record<string, unknown>>): object[] {
  return String(orders)
    .split(',')
    .flatMap((order_no) => {
      const { amount, currency } = paid.get(order_no) ?? {};
      const payment_status = books.get(order_no);
      return payment_status ? [{ order_no, amount, currency, transaction_id: `T-${order_no}`, payment_status }] : [];
    });
}
