import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/time/until.ts';
import { createLog } from './log.ts';
import { createWakeUp, pause, startPolling } from './polling.ts';

const log = createLog('silent');
const NEVER_MS = 1_000_000;

function counted(everyMs = NEVER_MS, work: (stopping: AbortSignal) => Promise<void> = async () => {}) {
  const [wakeUp, done] = [createWakeUp(), { polls: 0 }];
  const polling = startPolling(
    log,
    'test',
    everyMs,
    async (stopping) => {
      done.polls += 1;
      await work(stopping);
    },
    wakeUp,
  );
  return { wakeUp, done, polling };
}

describe('polling', () => {
  it('polls at the start and then again and again', async () => {
    const { done, polling } = counted(1);
    await until('three polls', () => done.polls >= 3);
    await polling.stop();
    const { polls: before } = done;
    await new Promise((later) => setTimeout(later, 20));
    expect(done.polls).toBe(before);
  });

  it('polls once after several wake-ups', async () => {
    const { wakeUp, done, polling } = counted();
    await until('the first poll', () => done.polls === 1);
    for (let n = 0; n < 10; n++) wakeUp.wake();
    await until('the second poll', () => done.polls === 2);
    await new Promise((later) => setTimeout(later, 20));
    expect(done.polls).toBe(2);
    await polling.stop();
  });

  it('keeps a wake-up that comes during a poll', async () => {
    const { wakeUp, done, polling } = counted(NEVER_MS, async () => {
      await new Promise((later) => setTimeout(later, 1));
      if (done.polls === 1) wakeUp.wake();
    });
    await until('the second poll', () => done.polls === 2);
    await polling.stop();
  });

  it('goes on after a poll that failed', async () => {
    const { done, polling } = counted(1, async () => {
      throw new Error('no');
    });
    await until('three polls', () => done.polls >= 3);
    await polling.stop();
  });

  it('stops at once while it waits, and waits for a running poll', async () => {
    const waiting = counted();
    await waiting.polling.stop();
    let ended = false;
    const running = counted(NEVER_MS, async (stopping) => {
      await pause(NEVER_MS, stopping);
      ended = true;
    });
    await running.polling.stop();
    expect([ended, running.done.polls]).toEqual([true, 1]);
  });
});
