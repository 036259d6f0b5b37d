import type { Response } from 'express';
import { maskMessage } from '../../shared/card-data/message.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import type { Context } from '../context/context.ts';
import { jsonReply, type LongReply, type Reply } from '../http/idempotency/idempotency.ts';
import { isForAccount } from '../payments/operations/answered-state.ts';
import { NOT_REACHED, refusedText } from './reply.ts';

/** The maximum time in which a shop may read a long answer, in milliseconds. Its memory is in use until then. */
const MAX_READ_MS = 60_000;

/**
 * Sends an operation that only reads. Returns the gateway's message with the gateway's field names, including unknown
 * ones, without card data. A long message is returned as the bytes of its JSON, which are released when `res` ends.
 * Throws ProblemError.
 */
export async function readOperation(
  context: Context,
  name: OperationName,
  account: Account,
  message: Message,
  res: Response | undefined,
): Promise<Reply | LongReply> {
  const called = await context.longCall(name, account, message);
  switch (called.kind) {
    case 'not_sent':
      throw new ProblemError('gateway_unreachable', called.detail ?? NOT_REACHED);
    case 'not_configured':
      throw new ProblemError('operation_not_configured', called.detail);
    case 'refused':
      throw new ProblemError('gateway_refused', refusedText(name, called.status));
    case 'unusable':
      throw called.fault === 'timeout'
        ? new ProblemError('gateway_timeout', 'The gateway did not answer in time. Try again.')
        : new ProblemError('gateway_answer_unusable', `The gateway’s answer cannot be used: ${called.fault}.`);
    case 'answer':
      if (isForAccount({ as: account }, called.message)) return jsonReply(200, maskMessage(called.message));
      throw otherAccount();
    case 'long_answer': {
      releaseAfter(res, called.release);
      if (!isForAccount({ as: account }, called.identity)) throw otherAccount();
      return { status: 200, type: 'application/json', headers: {}, body: Buffer.from(called.json.buffer) };
    }
  }
}

function otherAccount(): ProblemError {
  return new ProblemError('gateway_answer_unusable', 'The gateway answered for another account.');
}

/** Releases the memory of a long answer when the shop has received it, has disconnected, or takes too long. */
function releaseAfter(res: Response | undefined, release: () => void): void {
  if (!res || res.closed) {
    release();
    return;
  }
  const timer = setTimeout(() => res.destroy(), MAX_READ_MS);
  res.once('close', () => {
    clearTimeout(timer);
    release();
  });
}
