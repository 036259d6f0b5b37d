import { z } from 'zod';
import { type Call, type Client, type OperationAnswer, type PostOptions, RelayRefused } from '../../client/index.ts';
import { type Operation, operations } from '../../shared/gateway/operations.ts';
import { confirm, type Run } from '../base/command.ts';
import { CliError, EXIT, type ExitCode, failureOf, repeatHint } from '../base/errors.ts';
import type { Output } from '../base/output.ts';
import { nextStep } from '../records/operation-commands.ts';

/** The outcome of an operation of one item. */
type Done = {
  operation: OperationAnswer;
  /** The relay's reading of the gateway's answer. */
  outcome: 'succeeded' | 'failed' | 'unknown';
  /** The gateway's own result of the item. */
  result: Result | undefined;
  /** Whether the same request was already made. */
  replayed: boolean;
  idempotencyKey: string | undefined;
};
type Result = Record<string, unknown>;

/** The request of a command. A repetition needs its `key` and the `options` that the command set. */
type Sending = {
  /** The question that a person confirms before the request is sent. */
  question: string;
  key: string;
  options: Readonly<Record<string, string>>;
  send(post: PostOptions): Call<unknown>;
  /** The fields to print besides the outcome. */
  fields(done: Done): Readonly<Record<string, string | undefined>>;
};

/**
 * Sends an operation of one item after a confirmation, reads its outcome from the relay, and prints it. Returns the
 * exit code. Without an answer, the CliError says how to repeat the request. The first Ctrl-C prints the same, and
 * waits for the answer.
 */
export async function carryOut(
  { io, out, options: run }: Run<{ yes: boolean }>,
  client: Client,
  { question, key, options, send, fields }: Sending,
): Promise<ExitCode> {
  await confirm(io, run, question);
  const release = io.onInterrupt(() => {
    release();
    out.say('The request was sent. Waiting for its answer. Press Ctrl-C again to stop.');
    out.say(`Then do not start a new request. ${repeatHint(key, options)}`);
  });
  try {
    const { operationId, replayed, idempotencyKey } = await sent(() => send({ idempotencyKey: key }), options);
    const operation = await operationOf(client, operationId, idempotencyKey);
    const [outcome = 'unknown'] = operation.items ?? [];
    const done: Done = { operation, outcome, result: resultOf(operation), replayed, idempotencyKey };
    return report(out, done, fields(done));
  } finally {
    release();
  }
}

type Sent = { operationId: string | undefined; replayed: boolean; idempotencyKey: string | undefined };

async function sent(send: () => Call<unknown>, options: Readonly<Record<string, string>>): Promise<Sent> {
  try {
    return await send().withMeta();
  } catch (error) {
    if (error instanceof RelayRefused && error.code === 'operation_settled') {
      return { operationId: error.operationId, replayed: true, idempotencyKey: error.idempotencyKey };
    }
    const { failure, exitCode } = failureOf(error);
    const { code, message, idempotency_key: key } = failure;
    if (exitCode !== EXIT.unknown || key === undefined) throw error;
    throw new CliError(code, message, { exitCode, hint: repeatHint(key, options), idempotencyKey: key });
  }
}

async function operationOf(client: Client, id: string | undefined, key = ''): Promise<OperationAnswer> {
  if (id === undefined) {
    throw new CliError('outcome_not_read', 'The relay answered, but did not name the operation (X-Operation-Id).', {
      exitCode: EXIT.unknown,
      hint: 'The operation was made or refused. Read the order. Configure every proxy to forward this header.',
      idempotencyKey: key,
    });
  }
  try {
    return await client.operations.get(id);
  } catch (error) {
    const { failure } = failureOf(error);
    throw new CliError(
      'outcome_not_read',
      `The gateway answered, but the relay’s record cannot be read: ${failure.message}`,
      {
        exitCode: EXIT.unknown,
        hint: `Send nothing again. Read the outcome: turnpike operations get ${id}`,
        idempotencyKey: key,
      },
    );
  }
}

const results = z.array(z.record(z.string(), z.unknown()));

function resultOf({ operation: name, answer }: OperationAnswer): Result | undefined {
  const { batch }: Operation = operations[name];
  return batch ? results.safeParse(answer?.[batch.list]).data?.[0] : answer;
}

/** Prints the outcome of an operation and the next step. Returns the exit code. */
function report(out: Output, done: Done, fields: Readonly<Record<string, string | undefined>>): ExitCode {
  const { operation, outcome, result, replayed, idempotencyKey } = done;
  out.record(
    { operation_id: operation.id, outcome, replayed, idempotency_key: idempotencyKey, result, operation },
    {
      outcome,
      ...fields,
      operation: operation.id,
      repeated: replayed ? 'yes: the relay already had this request and did not repeat it' : undefined,
    },
  );
  switch (outcome) {
    case 'succeeded':
      return EXIT.done;
    case 'failed':
      out.say('The gateway did not do it.');
      return EXIT.refused;
    case 'unknown':
      out.say(nextStep(operation) ?? 'Its outcome is not known.');
      return EXIT.unknown;
  }
}

/** A text of a result, if there is one. */
export function textIn(result: Result | undefined, field: string): string | undefined {
  const value = result?.[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
