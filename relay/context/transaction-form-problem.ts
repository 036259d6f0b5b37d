import { ProblemError } from '../base/errors.ts';

/**
 * Refuses a transaction_id that is another spelling of a known one.
 * @param path its path in the request
 */
export function otherFormProblem(path: string, known: string): ProblemError {
  const detail = 'Another transaction_id that is known differs only in letter case, blanks or invisible characters.';
  return new ProblemError('transaction_id_form', detail, {
    errors: [{ path, message: `must be ${JSON.stringify(known)} exactly` }],
    // If an operation stored the other one, it is deleted once that operation fails.
    mayLift: true,
  });
}
