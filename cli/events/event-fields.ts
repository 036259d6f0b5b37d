import type { EventAnswer } from '../../client/index.ts';
import type { Column } from '../base/output.ts';

export const eventColumns: readonly Column<EventAnswer>[] = [
  { name: 'EVENT', cell: ({ id }) => id },
  { name: 'TYPE', cell: ({ type }) => type },
  { name: 'ABOUT', cell: ({ subject }) => subject },
  { name: 'DELIVERY', cell: ({ delivery }) => delivery.status },
  { name: 'TRIES', cell: ({ delivery }) => String(delivery.tries) },
  { name: 'FAULT', cell: ({ delivery }) => faultOf(delivery) },
  { name: 'CREATED', cell: ({ created_at }) => created_at },
];

/** An event as fields for people. */
export function eventFields({
  id,
  type,
  subject,
  created_at,
  delivery,
  data,
}: EventAnswer): Record<string, string | undefined> {
  return {
    event: id,
    type,
    about: subject,
    created: created_at,
    delivery: `${delivery.status} after ${delivery.tries} ${delivery.tries === 1 ? 'try' : 'tries'}`,
    fault: faultOf(delivery),
    'next try': delivery.status === 'pending' ? delivery.next_try_at : undefined,
    acknowledged: delivery.status === 'acknowledged' ? `${delivery.acknowledged_at} by ${delivery.by}` : undefined,
    data: JSON.stringify(data),
  };
}

/** Why the last try failed. */
function faultOf(delivery: EventAnswer['delivery']): string | undefined {
  switch (delivery.status) {
    case 'pending':
      return delivery.fault;
    case 'failed':
    case 'acknowledged':
      return delivery.reason;
    case 'delivered':
      return undefined;
  }
}
