import type { z } from 'zod';
import { RelayAnswerUnusable, RelayRefused, RelayUnreachable } from './errors.ts';
import { type Exchange, exchange, type Meta, type Outgoing } from './exchange.ts';
import type { Settings } from './settings.ts';

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** An answer with what its headers tell. */
export type Answered<Answer> = Meta & { answer: Answer };

/**
 * Sends a request until the relay has answered it for good, at most `settings.tries` times, and always with the same
 * Idempotency-Key: that is what makes it safe. Throws RelayRefused, RelayUnreachable or RelayAnswerUnusable.
 */
export async function send<Schema extends z.ZodType>(
  settings: Settings,
  outgoing: Outgoing,
  schema: Schema,
): Promise<Answered<z.output<Schema>>> {
  for (let tried = 1; ; tried++) {
    const ended = await exchange(settings, outgoing);
    if (tried === settings.tries || !isPassing(ended)) return answerIn(ended, outgoing, schema);
    await settings.wait(pauseMs(tried, ended));
  }
}

/** Whether the same request may be answered otherwise in a moment. */
function isPassing(ended: Exchange): boolean {
  switch (ended.kind) {
    case 'none':
      return true;
    case 'foreign':
      // A proxy in front of the relay that lost it, that has none at the moment, or that was asked too often.
      return ended.status === 429 || (ended.status >= 502 && ended.status <= 504);
    case 'problem':
      return ended.refusal.status === 503 || ended.refusal.code === 'in_progress';
    case 'answer':
      return false;
  }
}

/** Twice as long after each try, less a random part, so that clients that failed together do not return together. */
function pauseMs(tried: number, ended: Exchange): number {
  const pause = FIRST_PAUSE_MS * 2 ** (tried - 1) * (1 - Math.random() / 2);
  const wished = 'retryAfterMs' in ended ? ended.retryAfterMs : 0;
  return Math.min(Math.max(pause, wished), MAX_PAUSE_MS);
}

function answerIn<Schema extends z.ZodType>(
  ended: Exchange,
  outgoing: Outgoing,
  schema: Schema,
): Answered<z.output<Schema>> {
  switch (ended.kind) {
    case 'none':
      throw new RelayUnreachable(outgoing, ended.cause);
    case 'foreign':
      throw new RelayAnswerUnusable(outgoing, ended.status);
    case 'problem':
      throw new RelayRefused(outgoing, ended.refusal);
    case 'answer': {
      const parsed = schema.safeParse(ended.body);
      if (parsed.success) return { answer: parsed.data, ...ended.meta };
      const paths = parsed.error.issues.map(({ path }) => path.join('.') || 'the whole body');
      throw new RelayAnswerUnusable(outgoing, ended.status, paths);
    }
  }
}

/** A call that is under way: await it for the answer alone, or its `withMeta()` for what the headers told too. */
export type Call<Answer> = Promise<Answer> & { withMeta(): Promise<Answered<Answer>> };

/** Makes a call of what will be answered. */
export function callOf<Answer>(answered: Promise<Answered<Answer>>): Call<Answer> {
  const answer = answered.then((whole) => whole.answer);
  const withMeta = (): Promise<Answered<Answer>> => {
    // Whoever takes the whole gets its rejection there; nobody is left to handle the other one.
    answer.catch(() => undefined);
    return answered;
  };
  return Object.assign(answer, { withMeta });
}
