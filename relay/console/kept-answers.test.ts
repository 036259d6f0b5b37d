import { expect, it, vi } from 'vitest';
import { createKeptAnswers } from './kept-answers.ts';

const setUp = (terms = {}) => createKeptAnswers<number>({ keepMs: 60_000, max: 2, maxAsked: 2, ...terms });

it('asks a question once for all who ask it, and keeps the answer', async () => {
  const answers = setUp();
  const question = vi.fn(async () => 1);
  const both = [answers.get('a', question), answers.get('a', question)];
  expect(await Promise.all(both)).toEqual([1, 1]);
  expect(await answers.get('a', question)).toBe(1);
  expect(question).toHaveBeenCalledTimes(1);
});

it('keeps no failure', async () => {
  const answers = setUp();
  await expect(
    answers.get('a', async () => {
      throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
  expect(await answers.get('a', async () => 2)).toBe(2);
});

it('forgets an answer after its time, and the oldest of too many', async () => {
  const brief = setUp({ keepMs: 0 });
  await brief.get('a', async () => 1);
  expect(await brief.get('a', async () => 2)).toBe(2);
  const few = setUp();
  for (const [at, name] of ['a', 'b', 'c'].entries()) await few.get(name, async () => at);
  expect(await few.get('c', async () => 9)).toBe(2);
  expect(await few.get('a', async () => 9)).toBe(9);
});

it('takes no further question while too many are under way', async () => {
  const answers = setUp();
  const gate = Promise.withResolvers<number>();
  const asked = ['a', 'b'].map((name) => answers.get(name, () => gate.promise));
  expect(answers.get('c', async () => 3)).toBeUndefined();
  expect(answers.get('a', async () => 3)).toBe(asked[0]);
  gate.resolve(1);
  await Promise.all(asked);
  expect(await answers.get('c', async () => 3)).toBe(3);
});
