import { isDeepStrictEqual } from 'node:util';
import type { Scene } from '../../world/scene.ts';

/**
 * Each report of a payment states whether the order differs from the one that was sent, and the revision of the latter.
 */
export function watchChanges({ world, onWritten }: Scene): void {
  /** The order that each attempt was sent with. */
  const sent = new Map<string, { revision: number; order: object }>();
  onWritten.push((_before, after, events) => {
    for (const { id, session_id } of after.attempts) {
      const session = after.sessions.find((one) => one.id === session_id);
      if (session && !sent.has(id)) sent.set(id, { revision: session.revision, order: session.terms.order });
    }
    for (const { type, subject, body } of events) {
      const session = after.sessions.find(({ id }) => id === subject);
      if (type !== 'session.approved' || session?.state.status !== 'approved') continue;
      const paid = sent.get(session.state.attempt_id);
      const { data } = JSON.parse(body);
      const isOther = paid !== undefined && !isDeepStrictEqual(paid.order, session.terms.order);
      if (data.revision === paid?.revision && (data.order_changed === true) === isOther) continue;
      world.breach(
        'a changed order is reported',
        `${subject} is reported with order_changed ${data.order_changed} of revision ${data.revision}`,
      );
    }
  });
}
