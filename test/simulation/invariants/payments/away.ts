import type { Attempt } from '../../../../relay/payments/attempt.ts';
import type { Scene } from '../../world/scene.ts';

const invariant = 'no redirect for a paid order';

/** No state of a paid order, and no answer to its shopper, leads to an issuer's page. */
export function watchAway({ world, onWritten, onShown: onTold }: Scene): void {
  /** The sessions that were sent there before the payment. */
  const away = new Set<string>();
  onWritten.push((before, after) => {
    const isNew = ({ id, state }: Attempt): boolean =>
      state.status === 'redirected' &&
      before.attempts.every((one) => one.id !== id || one.state.status !== 'redirected');
    for (const attempt of after.attempts.filter(isNew)) {
      if (before.hold !== 'paid') away.add(attempt.session_id);
      else world.breach(invariant, `${attempt.id} of ${after.order_no} is sent to the issuer`);
    }
    for (const { id, state } of after.sessions) {
      const was = before.sessions.find((one) => one.id === id)?.state.status;
      if (before.hold === 'paid' && state.status === 'redirected' && was !== 'redirected')
        world.breach(invariant, `${id} of ${after.order_no} is redirected`);
    }
  });
  onTold.push(({ order_no, session, status }) => {
    if ((status === 'redirect' || status === 'redirected') && !away.has(session))
      world.breach(invariant, `a shopper of ${session} of ${order_no} gets ${status}`);
  });
}
