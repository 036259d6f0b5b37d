import type { Statement } from '../../sql/plan.ts';

/** The parameters of a procedure with their types, in order. A list of rows is `json`. */
export type ProcedureParameters = Readonly<Record<string, 'integer' | 'json'>>;

/**
 * The first parameters of every procedure: how long it may wait for each lock, and the number of jobs that it does
 * together.
 */
export const jobParameters = { lock_ms: 'integer', jobs: 'integer' } as const;

/**
 * The parameters as SQL declares them: the `deadline` first, in milliseconds since 1970 by the server's clock, and the
 * `verdict` last, which is the result.
 */
export function declared(parameters: ProcedureParameters): string {
  const given = Object.entries(parameters).map(([name, type]) => `${name} ${type}`);
  return ['deadline bigint', ...given, 'INOUT verdict text'].join(', ');
}

/** The values of a call by their parameters. A list without rows is NULL. */
export type ValuesOf<Parameters extends ProcedureParameters> = {
  readonly [Name in keyof Parameters]: { integer: number; json: readonly object[] }[Parameters[Name]];
};

/** A procedure as it is called: its statement takes the deadline, then the values of these parameters. */
export type Procedure<Parameters extends ProcedureParameters> = {
  statement: Statement;
  names: readonly (keyof Parameters & string)[];
};

/** A procedure of the schema. Of several with its name, the server uses the one with exactly these parameters. */
export function procedure<Parameters extends ProcedureParameters>(
  name: string,
  parameters: Parameters,
): Procedure<Parameters>;
export function procedure(name: string, parameters: ProcedureParameters): Procedure<ProcedureParameters> {
  const names = Object.keys(parameters);
  const given = ['deadline', ...names].map((parameter, i) => `${parameter} => $${i + 1}`).join(', ');
  const text = `CALL turnpike.${name}(${given}, verdict => NULL)`;
  return { statement: { name: name.replaceAll('_', '-'), text }, names };
}
