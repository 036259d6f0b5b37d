import type { Answered } from './send.ts';

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
