import { maskMessage } from '../../shared/card-data/message.ts';
import type { OperationName } from '../../shared/gateway/operations.ts';
import type { Message } from '../../shared/gateway/signature.ts';
import { ProblemError } from '../base/errors.ts';
import type { Account } from '../config/load.ts';
import { isForAccount } from '../payments/operations/outcome.ts';
import type { Context } from '../store/context.ts';
import { NOT_REACHED } from './reply.ts';

/**
 * Sends an operation that only reads. Gives the gateway's message with its own field names, unknown ones kept, without
 * card data. Throws ProblemError.
 */
export async function ask(context: Context, name: OperationName, account: Account, message: Message): Promise<Message> {
  const called = await context.call(name, account, message);
  switch (called.kind) {
    case 'not_sent':
      throw new ProblemError('gateway_unreachable', called.detail ?? NOT_REACHED);
    case 'not_configured':
      throw new ProblemError('operation_not_configured', called.detail);
    case 'refused':
      throw new ProblemError(
        'gateway_refused',
        `The gateway refused the ${name} with HTTP ${called.status}. Correct it.`,
      );
    case 'unusable':
      throw called.fault === 'timeout'
        ? new ProblemError('gateway_timeout', 'The gateway did not answer in time. Try again.')
        : new ProblemError('gateway_answer_unusable', `The gateway’s answer cannot be used: ${called.fault}.`);
    case 'answer':
      if (isForAccount({ as: account }, called.message)) return maskMessage(called.message);
      throw new ProblemError('gateway_answer_unusable', 'The gateway answered for another account.');
  }
}
