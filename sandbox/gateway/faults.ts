import type { OperationName } from '../../shared/gateway/operations.ts';

/** What goes wrong: the answer to a message, or the notification after it; of every operation, or of one `only`. */
export type Fault = { title: string; does: string; strikes: 'message' | 'notification'; only?: OperationName };

/** Everything that this gateway does wrong on demand. But for error_before, what was asked for has really happened. */
export const faults = {
  error_before: { strikes: 'message', title: 'Error, nothing done', does: 'Answers 500 before anything happened.' },
  refund_pending: {
    strikes: 'message',
    only: 'refund',
    title: 'Refund not processed',
    does: 'Accepts a refund; its refund_processing_date stays empty.',
  },
  late: { strikes: 'message', title: 'Late answer', does: 'Answers late.' },
  never: { strikes: 'message', title: 'No answer', does: 'Keeps the connection open and never answers.' },
  reset: { strikes: 'message', title: 'Connection reset', does: 'Resets the connection instead of an answer.' },
  truncated: { strikes: 'message', title: 'Answer cut off', does: 'Sends half of the answer and hangs up.' },
  wrong_signature: { strikes: 'message', title: 'Wrong signature', does: 'Signs the answer with another secret.' },
  missing_signature: { strikes: 'message', title: 'No signature', does: 'Leaves encryption_data out of the answer.' },
  wrong_order: {
    strikes: 'message',
    title: 'Another order',
    does: 'Answers, well signed, for another order_no, recurring_id or request_id.',
  },
  wrong_amount: { strikes: 'message', title: 'Another amount', does: 'Answers, well signed, with another amount.' },
  server_error: { strikes: 'message', title: 'Error, all done', does: 'Answers 500 after it happened.' },
  html: { strikes: 'message', title: 'HTML page', does: 'Answers 200 with a web page.' },
  notification_duplicate: { strikes: 'notification', title: 'Notified twice', does: 'Sends the notification twice.' },
  notification_late: { strikes: 'notification', title: 'Notified late', does: 'Sends the notification late.' },
  notification_reordered: {
    strikes: 'notification',
    title: 'Notified out of order',
    does: 'Sends the notification after the next one, or late when none follows.',
  },
  notification_lost: { strikes: 'notification', title: 'Not notified', does: 'Never sends the notification.' },
} as const satisfies Record<string, Fault>;

export type FaultName = keyof typeof faults;

/** The same as a list. */
export const faultNames = Object.keys(faults).filter(isFaultName);

/** True for the name of a fault. */
export function isFaultName(name: string): name is FaultName {
  return Object.hasOwn(faults, name);
}

/** True when a fault strikes this, in one of these operations. */
export function strikes(name: FaultName, what: Fault['strikes'], struck: readonly OperationName[]): boolean {
  const fault: Fault = faults[name];
  return fault.strikes === what && (fault.only === undefined || struck.includes(fault.only));
}
