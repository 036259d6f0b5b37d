import { type Answered, type Client, RelayRefused } from '../../../client/index.ts';
import { settleBody } from '../../../shared/api/operation.ts';
import { settlePayment } from '../../../shared/api/order-payment.ts';
import { settleSession } from '../../../shared/api/session.ts';
import type { Item } from '../file/layout.ts';
import type { ChunkRecord } from '../journal/records.ts';
import { decidedAt, notToBeSent, readSubject } from './decided.ts';
import { bodyOf, isOfOperation, isOfPayment, SESSION } from './layout.ts';

/** The subject of a decision has changed, or its operation is still running. Nothing was sent. */
class DecisionOutdated extends Error {
  override readonly name = 'DecisionOutdated';
  readonly code = 'decision_outdated';
}

/** The time of a decision at the relay. `isReplayed`: the relay had it before this request. */
export type Settled = { at: string; isReplayed: boolean };

/**
 * Sends one decision unless the relay already has it, from another file or a lost journal. Reads the subject first, because the relay
 * would apply the decision to a later attempt of an order. Rejects as the client does, also if another decision was made before.
 * @param isSent true if this run has already sent it, so that the relay may have it from this run
 */
export async function settle(
  { key, items: [item = {}] }: ChunkRecord,
  client: Client,
  isSent: boolean,
): Promise<Settled> {
  const subject = await readSubject(client, item);
  const before = decidedAt(subject, item);
  if (before !== undefined) return { at: before, isReplayed: !isSent };
  const reason = notToBeSent(subject, item);
  if (reason !== undefined) throw new DecisionOutdated(reason);
  try {
    const { answer, replayed } = await post(item, client, key);
    return { at: answer.settled_at ?? answer.settled?.at ?? '', isReplayed: replayed };
  } catch (error) {
    // Another run may have sent the decision since the subject was read.
    const since = isNothingUndecided(error) ? decidedAt(await readSubject(client, item), item) : undefined;
    if (since === undefined) throw error;
    return { at: since, isReplayed: true };
  }
}

function post(
  item: Item,
  client: Client,
  idempotencyKey: string,
): Promise<Answered<{ settled?: { at: string } | undefined; settled_at?: string | undefined }>> {
  const { decision, operation_id = '', transaction_id = '', [SESSION]: session = '' } = item;
  const body = bodyOf(item);
  if (isOfOperation(decision))
    return client.operations.settle(operation_id, settleBody.parse(body), { idempotencyKey }).withMeta();
  return isOfPayment(decision)
    ? client.payments.settle(transaction_id, settlePayment.parse(body), { idempotencyKey }).withMeta()
    : client.sessions.settle(session, settleSession.parse(body), { idempotencyKey }).withMeta();
}

function isNothingUndecided(error: unknown): boolean {
  return error instanceof RelayRefused && ['session_not_unsettled', 'operation_not_unknown'].includes(error.code);
}

/** The codes of refusals that concern only the row of a decision. */
const OF_ROW = new Set([
  ...['invalid_request', 'not_found', 'session_not_unsettled', 'operation_not_unknown'],
  ...['transaction_known', 'transaction_id_form', 'body_too_large'],
]);

/** Returns why the relay refused a row. Undefined for an error that does not concern the row. */
export function rowRefusal(error: unknown): string | undefined {
  if (error instanceof DecisionOutdated) return error.message;
  if (!(error instanceof RelayRefused) || !OF_ROW.has(error.code)) return undefined;
  const faults = error.errors.map(({ path, message }) => `${path}${path && ': '}${message}`);
  return faults.join('; ') || error.detail || error.title;
}
