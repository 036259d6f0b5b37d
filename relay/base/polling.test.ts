import { describe, expect, it } from 'vitest';
import { until } from '../../test/support/until.ts';
import { createLog } from './log.ts';
import { createWakeUp, pause, startPolling } from './polling.ts';

const log = createLog('silent');
const NEVER_MS = 1_000_000;

function counted(everyMs = NEVER_MS, work: (stopping: AbortSignal) => Promise<void> = async () => {}) {
  const [wakeUp, done] = [createWakeUp(), { rounds: 0 }];
  const rounds = startPolling(
    log,
    'test',
    everyMs,
    async (stopping) => {
      done.rounds += 1;
      await work(stopping);
    },
    wakeUp,
  );
  return { wakeUp, done, rounds };
}

describe('rounds', () => {
  it('are run at the start and then again and again', async () => {
    const { done, rounds } = counted(1);
    await until('three rounds', () => done.rounds >= 3);
    await rounds.stop();
    const { rounds: before } = done;
    await new Promise((later) => setTimeout(later, 20));
    expect(done.rounds).toBe(before);
  });

  it('are woken by the wakeUp, once however often it rings', async () => {
    const { wakeUp, done, rounds } = counted();
    await until('the first round', () => done.rounds === 1);
    for (let n = 0; n < 10; n++) wakeUp.wake();
    await until('the second', () => done.rounds === 2);
    await new Promise((later) => setTimeout(later, 20));
    expect(done.rounds).toBe(2);
    await rounds.stop();
  });

  it('hear a ring that came while one of them ran', async () => {
    const { wakeUp, done, rounds } = counted(NEVER_MS, async () => {
      await new Promise((later) => setTimeout(later, 1));
      if (done.rounds === 1) wakeUp.wake();
    });
    await until('the second round', () => done.rounds === 2);
    await rounds.stop();
  });

  it('go on after one that failed', async () => {
    const { done, rounds } = counted(1, async () => {
      throw new Error('no');
    });
    await until('three rounds', () => done.rounds >= 3);
    await rounds.stop();
  });

  it('stop at once while they wait, and wait for the round that runs', async () => {
    const waiting = counted();
    await waiting.rounds.stop();
    let ended = false;
    const running = counted(NEVER_MS, async (stopping) => {
      await pause(NEVER_MS, stopping);
      ended = true;
    });
    await running.rounds.stop();
    expect([ended, running.done.rounds]).toEqual([true, 1]);
  });
});
