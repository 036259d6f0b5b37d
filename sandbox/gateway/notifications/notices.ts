import type { Message } from '../../../shared/gateway/signature.ts';
import type { FaultName } from '../faults/faults.ts';

/** Something that the gateway tells a merchant at the notify_url of a payment or payout (§6). `fields` go out signed. */
export type Notice = {
  url: string;
  account: { merchant_id: string; account_id: string };
  kind: 'payment' | 'payout' | 'refund' | 'recurring';
  /** The order's number; a payout's request_id. */
  order_no: string;
  fields: Message;
  /** What goes wrong with it, beside what its own texts ask for. */
  faults?: readonly FaultName[];
};

/**
 * Takes a notice to send. It is called while an operation happens, before that is answered, and must neither wait nor
 * throw: whoever sends does so later.
 */
export type Notify = (notice: Notice) => void;
