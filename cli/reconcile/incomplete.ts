import { RelayRefused } from '../../client/index.ts';
import { CliError, EXIT, failureOf, UsageError } from '../base/errors.ts';

/**
 * What ended a comparison before its end, as an error that no script can take for a result: exit code 1 where the relay refuses the
 * caller, else 3.
 */
export function incomplete(error: unknown): CliError {
  if (error instanceof UsageError) return error;
  const { failure } = failureOf(error);
  const isRefused = error instanceof RelayRefused && error.status < 500 && !error.code.startsWith('gateway_');
  const isDefect = failure.code === 'defect';
  return new CliError(failure.code, `The comparison is not complete. ${failure.message}`, {
    exitCode: isRefused || isDefect ? EXIT.refused : EXIT.unknown,
    hint: (isRefused && failure.hint) || 'What was printed may not be all. Nothing was changed: run it again.',
  });
}
