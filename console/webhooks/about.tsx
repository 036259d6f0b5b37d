import type { EventAnswer } from '../../shared/api/event.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { Foreign } from '../parts/text.tsx';
import { orderOf } from './kinds.ts';

/** The order or operation that a webhook is about. */
export function About({ event }: { event: EventAnswer }) {
  const { words } = useApp();
  const orderNo = orderOf(event);
  return (
    <>
      {orderNo !== undefined && (
        <Link to={{ page: 'order', orderNo }} class="over">
          <Foreign text={orderNo} />
        </Link>
      )}{' '}
      {event.subject.startsWith('op_') && (
        <Link to={{ page: 'operation', id: event.subject }} class="over">
          {words.operation.id}
        </Link>
      )}
    </>
  );
}
