import { meaningOf, type Reaction, type Try } from './reaction.ts';

/** The most messages that are sent to a gateway in all: wrong signatures may lock an account. */
export const MAX_TRIES = 10;

/** Steps that need the gateway's reactions: each `yield` is a message to send, and gets what the gateway did with it. */
export type Steps<Result> = Generator<Try, Result, Reaction>;

/** Asks the gateway, or says that no more may be asked. */
export type Ask = (attempt: Try) => Steps<Reaction>;

/** A way to ask that stops after ten tries, and once the gateway speaks of a lock or a limit. */
export function createAsk(): Ask {
  let left = MAX_TRIES;
  return function* ask(attempt) {
    if (left === 0) return { kind: 'spent' };
    left -= 1;
    const reaction = yield attempt;
    if (meaningOf(reaction, []) === 'limited') left = 0;
    return reaction;
  };
}

/** Takes the steps one after the other; `send` brings each message to the gateway. */
export async function take<Result>(steps: Steps<Result>, send: (attempt: Try) => Promise<Reaction>): Promise<Result> {
  let step = steps.next();
  while (!step.done) step = steps.next(await send(step.value));
  return step.value;
}
