import { describe, expect, it } from 'vitest';
import { startOutbox } from '../../test/support/stores/outbox.ts';
import { createReader } from './live-reader.ts';

/** The cursor before the first event. */
const START = '0';

/** A relay whose test writes events, and a reader of them. */
async function setUp() {
  const { context, wait, write } = await startOutbox('http://127.0.0.1:1/');
  const reader = createReader(context);
  return {
    wait,
    async write(...subjects: string[]): Promise<void> {
      for (const subject of subjects) await write(subject);
    },
    writeForOther: () => write('cs_other', {}, 'other'),
    /** The subjects of the changes, and the cursor, as the subject of its event. */
    async read(cursor: string) {
      const { changes, next } = await reader('demo', cursor);
      const event = await context.store.outbox.get('demo', next);
      return { subjects: changes.map(({ change }) => change.subject), next, at: event?.subject };
    },
  };
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `cs_${i + 1}`);

describe('the reader of changes', () => {
  it('returns the changes of the account after the cursor', async () => {
    const { read, wait, write, writeForOther } = await setUp();
    await write('cs_1', 'cs_2');
    await writeForOther();
    wait(7);
    const first = await read(START);
    expect(first).toMatchObject({ subjects: ['cs_1', 'cs_2'], at: 'cs_2' });
    expect(await read(first.next)).toEqual({ subjects: [], next: first.next, at: 'cs_2' });
  });

  it('keeps the cursor before an event of the last six seconds', async () => {
    const { read, wait, write } = await setUp();
    await write('cs_1');
    wait(7);
    await write('cs_2');
    const first = await read(START);
    expect(first).toMatchObject({ subjects: ['cs_1', 'cs_2'], at: 'cs_1' });
    wait(5);
    expect(await read(first.next)).toMatchObject({ subjects: ['cs_2'], at: 'cs_1' });
    wait(2);
    expect(await read(first.next)).toMatchObject({ subjects: ['cs_2'], at: 'cs_2' });
  });

  it('moves past a full page of recent events', async () => {
    const { read, write } = await setUp();
    await write(...numbered(100));
    expect(await read(START)).toMatchObject({ subjects: numbered(100), at: 'cs_100' });
  });

  it('returns at most 500 changes, and the others next', async () => {
    const { read, wait, write } = await setUp();
    await write(...numbered(501));
    wait(7);
    const first = await read(START);
    expect(first).toMatchObject({ subjects: numbered(500), at: 'cs_500' });
    expect(await read(first.next)).toMatchObject({ subjects: ['cs_501'], at: 'cs_501' });
  });
});
