import { sha256 } from '../base/keys.ts';
import { sessionOf } from '../payments/order.ts';
import type { Decision, OrderEvent } from '../payments/transitions.ts';
import type { Context } from '../store/context.ts';
import type { NewEvent } from '../store/event.ts';
import { hasWebhook, newEvent } from './new-event.ts';
import { laterCharge } from './notification-event.ts';
import { sessionAnswer } from './session-answer.ts';

/** The webhooks that tell of an order's change, to be written with it: none where the shop wants none. */
export function sessionEvents(context: Context, { order, events }: Decision): NewEvent[] {
  if (!hasWebhook(context, order.account)) return [];
  return events.flatMap(({ type, session_id, charge, ...more }) => {
    if (charge) {
      return newEvent(context, { account: order.account, id: session_id }, type, laterCharge(session_id, charge));
    }
    const session = sessionOf(order, session_id);
    const data = { ...sessionAnswer(order, session, context.now()), ...more };
    const subject = { account: order.account, id: session_id };
    const twice = type === 'session.paid_twice' ? more.transaction_ids : undefined;
    return twice
      ? newEvent(context, subject, type, data, idOfPaidTwice(order, twice))
      : newEvent(context, subject, type, data);
  });
}

/** The same for whoever finds a second payment: the shop is told of it once, ever. */
function idOfPaidTwice(
  { account, order_no }: { account: string; order_no: string },
  [, second]: NonNullable<OrderEvent['transaction_ids']>,
): string {
  return `msg_${sha256(JSON.stringify([account, order_no, second]))}`;
}
