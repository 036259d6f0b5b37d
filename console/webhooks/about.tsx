import type { EventAnswer } from '../../shared/api/event.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { Foreign } from '../parts/text.tsx';
import { ordersOf } from './kinds.ts';

/** The orders and the operation that a webhook is about. */
export function About({ event }: { event: EventAnswer }) {
  const { words } = useApp();
  return (
    <span class="links">
      {ordersOf(event).map((orderNo) => (
        <Link key={orderNo} to={{ page: 'order', orderNo }} class="over">
          <Foreign text={orderNo} />
        </Link>
      ))}
      {event.subject.startsWith('op_') && (
        <Link to={{ page: 'operation', id: event.subject }} class="over">
          {words.operation.id}
        </Link>
      )}
    </span>
  );
}
