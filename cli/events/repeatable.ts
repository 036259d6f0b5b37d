import { RelayAnswerUnusable, RelayUnreachable } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';

/** Asks the relay for what may be asked for again. Throws CliError where no answer came. */
export async function repeatable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable)) throw error;
    throw new CliError(error.code, 'The relay gave no answer. What was asked for may have been done.', {
      exitCode: EXIT.unknown,
      hint: 'Repeat the command: events that wait to be sent already are left alone.',
    });
  }
}
