import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bookedOf, type KillAt, startBulkStage } from './bulk-stage.ts';

/** Three chunks of rows without references. */
const kills: KillAt[] = [{ post: 2, phase: 'sent' }, { post: 2, phase: 'done' }, { chunks: 1 }, { get: 1 }];

it('a bulk file of refunds is executed once despite many kills', async () => {
  const stage = await startBulkStage({ references: false });
  stage.write(stage.rows);
  for (const kill of kills) {
    await stage.run(kill);
    stage.tearJournal();
  }
  const done = await stage.run();
  expect(done, done.err).toMatchObject({ code: 0 });
  expect(JSON.parse(done.out)).toMatchObject({ rows: 300, succeeded: 300, not_sent: 0 });
  expect(stage.booked()).toEqual(bookedOf(stage.rows));
  const results = readFileSync(stage.results, 'utf8').trim().split('\n').slice(1);
  expect(results.map((line) => line.split(',')[3])).toEqual(stage.rows.map(({ refund_amount }) => refund_amount));
});

describe.each([{ references: false }, { references: true }])(
  'a file of refunds whose command was killed, %j',
  (options) => {
    it('repeats none of the others when one row is corrected', async () => {
      const stage = await startBulkStage(options);
      stage.write(stage.rows);
      await stage.run({ post: 2, phase: 'done' });
      const [first, last] = [stage.rows[0], stage.rows.at(-1)];
      if (!first || !last) throw new Error('there are rows');
      // The first was refunded before; the last was not sent yet.
      await expect.poll(stage.booked).toEqual(expect.arrayContaining(bookedOf([first])));
      expect(stage.booked()).not.toEqual(expect.arrayContaining(bookedOf([last])));
      const corrected = { ...first, refund_amount: '7.00', ...(options.references ? { reference: 'R-new' } : {}) };
      const corrections = [corrected, ...stage.rows.slice(1, -1), { ...last, refund_amount: '9.00' }];
      stage.write(corrections);
      const done = await stage.run();
      expect(done, done.err).toMatchObject({ code: 0 });
      // Without references the refunded row counts for an equal row in the file: the sum is what the file says.
      expect(stage.booked()).toEqual(bookedOf(options.references ? [first, ...corrections] : corrections));
    });

    it('repeats nothing if its journal is lost', async () => {
      const stage = await startBulkStage(options);
      stage.write(stage.rows);
      await stage.run({ post: 3, phase: 'done' });
      stage.deleteJournal();
      // With one row less, all later rows have other places and other requests.
      const rows = stage.rows.slice(1);
      stage.write(rows);
      await stage.run({ get: 2 });
      stage.deleteJournal();
      const done = await stage.run();
      expect(done, done.err).toMatchObject({ code: 0 });
      expect(JSON.parse(done.out)).toMatchObject({ rows: 299, succeeded: 299 });
      expect(stage.booked()).toEqual(bookedOf(options.references ? stage.rows : rows));
    });
  },
);
