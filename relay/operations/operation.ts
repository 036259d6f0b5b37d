import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import type { Evidence, Fault } from '../gateway/call.ts';

/** Why nobody knows what became of an operation. */
export type OperationUnknownReason = Fault | 'relay_stopped' | 'codes_disagree';

/** What became of one item of an operation: of a refund, say, whether the money goes back. */
export type ItemOutcome = 'succeeded' | 'failed' | 'unknown';

/** Who said what became of an operation that no answer told of. */
export type Settlement = {
  by: 'person' | 'refund_search';
  items: ItemOutcome[];
  note?: string;
};

/** What became of an operation. `answer` is the gateway's own message, without card data. */
export type OperationState =
  | { status: 'in_flight' }
  | { status: 'answered'; answer: Message; items: ItemOutcome[] }
  | { status: 'refused'; evidence: Evidence }
  | { status: 'not_sent' }
  | { status: 'unknown'; reason: OperationUnknownReason; since: string; evidence: Evidence }
  | { status: 'settled'; settlement: Settlement; reason: OperationUnknownReason; evidence: Evidence };

/** One message to the gateway that changes something there: a batch, a subscription's end or a payout. */
export type Operation = {
  id: string;
  /** The account's id in the relay's configuration. */
  account: string;
  name: Exclude<OperationName, 'direct_payment' | 'apm_payment' | 'query' | 'refund_search'>;
  created_at: string;
  settled_at?: string;
  version: number;
  /** A payout's, which is unique for its account. */
  request_id?: string;
  /** The shop's request, as it was sent to the gateway. */
  request: Message;
  state: OperationState;
};
