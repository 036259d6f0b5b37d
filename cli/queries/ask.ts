import { RelayAnswerUnusable, RelayUnreachable } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';
import type { Io } from '../base/io.ts';

/** Puts a question by a POST that changes nothing. Throws CliError where it got no answer: there is nothing to find out about it. */
export async function ask<Answer>(question: Promise<Answer>): Promise<Answer> {
  try {
    return await question;
  } catch (error) {
    if (!(error instanceof RelayUnreachable || error instanceof RelayAnswerUnusable)) throw error;
    throw new CliError(error.code, 'The relay gave no answer that can be used.', {
      exitCode: EXIT.refused,
      hint: 'It was only a question: ask again. Check --url or TURNPIKE_URL, and that the relay runs (GET /healthz).',
    });
  }
}

type Envelope = { return_status?: string | null | undefined; return_message?: string | null | undefined };

/** Tells, on standard error, what the gateway said beside a list without entries: perhaps why it has none. */
export function sayWhyEmpty(io: Io, isJson: boolean, { return_status, return_message }: Envelope): void {
  const said = { return_status: return_status ?? '', return_message: return_message ?? '' };
  const line = isJson ? JSON.stringify({ gateway: said }) : `The gateway said: ${Object.values(said).join(' ')}`;
  io.err.write(`${line}\n`);
}
