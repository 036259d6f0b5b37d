import { CliError, EXIT } from './errors.ts';
import type { Io } from './io.ts';
import { plain } from './output.ts';
import type { GlobalOptions } from './settings.ts';

/**
 * Asks a person whether to go on, unless `--yes` says so already. Throws CliError: with exit code 2 where nobody can be asked
 * (`--no-input`, or no terminal), with 1 where the answer is no.
 */
export async function confirm(
  io: Io,
  { yes, input }: GlobalOptions & { yes: boolean },
  question: string,
): Promise<void> {
  if (yes) return;
  if (!input || io.askLine === undefined) {
    throw new CliError('not_confirmed', `Nobody can be asked: ${question}`, {
      exitCode: EXIT.usage,
      hint: 'Give --yes to go on without a question. Nothing was sent.',
    });
  }
  const answer = await io.askLine(`${plain(question)} [y/N] `);
  if (/^y(es)?$/i.test(answer.trim())) return;
  throw new CliError('not_confirmed', 'Nothing was sent.', { exitCode: EXIT.refused });
}
