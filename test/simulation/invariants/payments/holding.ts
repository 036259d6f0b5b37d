import { wasSent } from '../../../../relay/payments/attempt.ts';
import { isWaiting, needsPerson } from '../../../../relay/payments/session.ts';
import { type BookRecord, paymentStatus } from '../../world/gateway/books.ts';
import { storedOrder } from '../../world/orders.ts';
import type { Scene } from '../../world/scene.ts';
import type { QueryLog } from '../queries/query-log.ts';
import { isBlocking } from './sending.ts';

/** The time within which a shown record must be written. */
const WRITTEN_MS = 10_000;

/**
 * An unreliable record, because of its code or a missing transaction_id, holds its order until a person has decided
 * about this record. If a session of the order is open, one session reports this at once.
 */
export function watchHolding(scene: Scene, log: QueryLog): void {
  const { world, gateway, store, relays } = scene;

  scene.onWritten.push((_before, { order_no, undecided, sessions }) => {
    const open = sessions.find(({ state }) => state.status === 'open');
    const isTold = sessions.some((one) => one.state.status === 'processing' || isWaiting(one) || needsPerson(one));
    if (undecided && open && !isTold)
      world.breach('a held order is reported', `${order_no} is held (${undecided.reason}), and ${open.id} is open`);
  });

  const check = async (order_no: string, records: readonly BookRecord[], sent: readonly string[]): Promise<void> => {
    const { hold, attempts } = await storedOrder(store, order_no);
    const known = attempts.filter((one) => wasSent(one) && sent.includes(one.id));
    if (hold !== 'free' || known.length === 0) return;
    const blocking = records.find((record) => isBlocking(scene, order_no, record, known));
    if (blocking) world.breach('no order is free too early', `${order_no} is, in spite of ${JSON.stringify(blocking)}`);
  };

  gateway.watch({
    async received({ name, message, received }) {
      if (name !== 'query' || received?.answer.kind !== 'answer') return;
      const disturbed = relays.disturbances();
      for (const order_no of new Set(String(message.orders ?? '').split(','))) {
        const asked = log.of(order_no).at(-1);
        const vague = asked?.counts ? asked.records.filter(isVague) : [];
        if (vague.length === 0) continue;
        const { attempts } = await storedOrder(store, order_no);
        const sent = attempts.filter(wasSent).map(({ id }) => id);
        world.clock.at(world.clock.now() + WRITTEN_MS, () => {
          const isSame = log.of(order_no).at(-1) === asked && relays.disturbances() === disturbed;
          if (isSame) void check(order_no, vague, sent);
        });
      }
    },
  });
}

function isVague({ payment_status, transaction_id }: BookRecord): boolean {
  return payment_status === paymentStatus.unlisted || (payment_status === paymentStatus.approved && !transaction_id);
}
