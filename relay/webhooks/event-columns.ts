import type { EventAnswer } from '../../shared/api/event.ts';
import type { CsvColumns } from '../http/csv.ts';

/** A field of a delivery; not every status has each field. */
function deliveryField({ delivery }: EventAnswer, name: string): string | undefined {
  const value: unknown = Reflect.get(delivery, name);
  return typeof value === 'string' ? value : undefined;
}

const times = ['next_try_at', 'delivered_at', 'failed_at', 'acknowledged_at', 'by'] as const;

/** Webhooks as CSV, without their bodies. */
export const eventColumns: CsvColumns<EventAnswer> = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['subject', ({ subject }) => subject],
  ['order_no', ({ data: { order_no } }) => (typeof order_no === 'string' ? order_no : undefined)],
  ['created_at', ({ created_at }) => created_at],
  ['status', ({ delivery }) => delivery.status],
  ['tries', ({ delivery }) => delivery.tries],
  ['reason', (event) => deliveryField(event, 'reason') ?? deliveryField(event, 'fault')],
  ...times.map((name) => [name, (event: EventAnswer) => deliveryField(event, name)] as const),
  ['deliveries', ({ deliveries }) => deliveries.map((one) => `${one.endpoint} ${one.delivery.status}`).join('; ')],
];
