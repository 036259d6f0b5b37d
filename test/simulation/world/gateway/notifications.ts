import type { Api } from '../http/api.ts';
import type { Relays } from '../relays.ts';
import type { World } from '../world.ts';
import { isListedPaid, type Transaction } from './books.ts';

/** How long the gateway waits before it repeats a notification that was not acknowledged. */
const AGAIN_MS = [30_000, 300_000, 3_600_000, 6 * 3_600_000, 86_400_000];

const HOUR_MS = 3_600_000;

type Session = { id: string; order_no: string };

export type Notifications = {
  /** The time of each session's last notification. */
  lastAt: Map<string, number>;
  /** The texts of each session's notifications: each text has its own queries. */
  texts: Map<string, ReadonlySet<string>>;
  /** Called with each acknowledged notification, and the transaction that it is about. */
  onTaken: ((orderNo: string, transaction?: Transaction) => void)[];
  /**
   * A foreign client writes to a session's notify_url. After the acknowledgement, the present status of the transaction
   * counts as announced.
   */
  send(session: Session, text: string, transaction?: Transaction): void;
  /** The gateway notifies of a change, according to the transaction's plan. */
  changed(transaction: Transaction): void;
};

export function createNotifications(world: World, relays: Relays, apiFor: (orderNo: string) => Api): Notifications {
  const { clock, random } = world;
  const lastAt: Notifications['lastAt'] = new Map();
  const texts: Notifications['texts'] = new Map();
  const onTaken: Notifications['onTaken'] = [];
  const draw = random('notifications');

  const deliver = async (session: Session, text: string, transaction: Transaction | undefined, tries: number) => {
    const { id, order_no } = session;
    lastAt.set(id, clock.now());
    texts.set(id, new Set([...(texts.get(id) ?? []), text]));
    const isSeen = transaction !== undefined && isListedPaid(world, transaction);
    const http = apiFor(order_no).notify(id, text);
    const told = await relays.request(draw.between(0, 7), { name: `notification ${text}` }, http);
    if (told.kind === 'answered') {
      if (transaction && (isSeen || transaction.status === 'approved')) {
        const { visibleAt, changedAt = visibleAt } = transaction;
        transaction.announced = true;
        transaction.listedSoon ||= Math.max(visibleAt, changedAt) <= clock.now() + HOUR_MS;
      }
      for (const listener of onTaken) listener(order_no, transaction);
      return;
    }
    const wait = AGAIN_MS[tries];
    if (wait === undefined || (told.kind === 'problem' && told.status === 404)) return;
    clock.at(clock.now() + wait, () => void deliver(session, text, transaction, tries + 1));
  };
  const send: Notifications['send'] = (session, text, transaction) => void deliver(session, text, transaction, 0);

  return {
    lastAt,
    texts,
    onTaken,
    send,
    changed(transaction) {
      const { session, order_no, id, laterOf, status, notices } = transaction;
      if (!session) return;
      for (const { after, times, of } of notices) {
        if (of !== undefined && of !== status) continue;
        for (let n = 0; n < times; n++) {
          // A notification of a later charge names the payment that began the contract.
          const named = n === 0 && laterOf !== undefined ? `${laterOf}&note=${id}` : id;
          clock.at(clock.now() + after + n * 700, () =>
            send({ id: session, order_no }, `transaction_id=${named}&status=${status}`, transaction),
          );
        }
      }
    },
  };
}
