// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Clock, IdleScheduler, type PieceLength } from './scheduler.ts';

/** The test controls the time and the turns of the event loop. */
let now = 0;
let turns: (() => void)[] = [];
let waits: { until: number; end: () => void }[] = [];
const clock: Clock = {
  now: () => now,
  wait: (ms) => new Promise<void>((end) => waits.push({ until: now + ms, end })),
  yield: () => new Promise<void>((end) => turns.push(end)),
};

const settle = () => new Promise((done) => setTimeout(done, 0));

/** Lets time pass, then lets the browser handle its events. */
async function pass(ms: number): Promise<void> {
  now += ms;
  for (const { until, end } of waits) if (until <= now) end();
  waits = waits.filter(({ until }) => until > now);
  for (let round = 0; round < 3; round++) {
    await settle();
    for (const end of turns.splice(0)) end();
  }
  await settle();
}

let scheduler: IdleScheduler;
beforeEach(() => {
  now = 10_000;
  turns = [];
  waits = [];
  document.body.replaceChildren(document.createElement('input'));
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  scheduler = new IdleScheduler(window, clock);
});
afterEach(() => scheduler.stop());

/** Requests a turn for a piece of work; the result says whether it may run by now. */
function ask(length?: PieceLength): () => boolean {
  let runs = false;
  void scheduler.next(length).then(() => {
    runs = true;
  });
  return () => runs;
}
const press = () => document.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true }));
const focus = () => document.querySelector('input')?.focus();

describe('while the form is untouched', () => {
  it.each(['short', 'long'] as const)('gives a %s piece the next turn', async (length) => {
    const runs = ask(length);
    await settle();
    expect(runs()).toBe(false);
    await pass(0);
    expect(runs()).toBe(true);
  });

  it('runs short pieces one after the other, for 50 ms', async () => {
    ask();
    await pass(0);
    now += 49;
    const second = ask();
    await settle();
    expect(second()).toBe(true);
    now += 1;
    const third = ask();
    await settle();
    expect(third()).toBe(false);
    await pass(0);
    expect(third()).toBe(true);
  });

  it('gives a long piece a turn of its own', async () => {
    ask();
    await pass(0);
    const long = ask('long');
    await settle();
    expect(long()).toBe(false);
    await pass(0);
    expect(long()).toBe(true);
  });
});

describe('while the shopper may type', () => {
  it.each(['keydown', 'input', 'pointerdown', 'focusin'])('runs nothing for 300 ms after a %s', async (type) => {
    document.body.dispatchEvent(new Event(type, { bubbles: true }));
    const runs = ask();
    await pass(299);
    expect(runs()).toBe(false);
    await pass(1);
    expect(runs()).toBe(true);
  });

  it('runs nothing between keys', async () => {
    focus();
    const runs = ask();
    for (let keys = 0; keys < 10; keys++) {
      press();
      await pass(299);
      expect(runs()).toBe(false);
    }
    await pass(1);
    expect(runs()).toBe(true);
  });

  it('runs short pieces in the pauses, for 8 ms', async () => {
    focus();
    press();
    await pass(300);
    ask();
    await pass(0);
    now += 7;
    const second = ask();
    await settle();
    expect(second()).toBe(true);
    now += 1;
    const third = ask();
    await settle();
    expect(third()).toBe(false);
  });

  it('keeps long pieces for a long pause', async () => {
    focus();
    press();
    const runs = ask('long');
    await pass(1499);
    expect(runs()).toBe(false);
    await pass(1);
    expect(runs()).toBe(true);
  });

  it('ends a slice with a key', async () => {
    ask();
    await pass(0);
    press();
    const runs = ask();
    await settle();
    expect(runs()).toBe(false);
    await pass(300);
    expect(runs()).toBe(true);
  });

  it('waits again after a key that comes just before its turn', async () => {
    const runs = ask();
    await settle();
    press();
    await pass(0);
    expect(runs()).toBe(false);
    await pass(300);
    expect(runs()).toBe(true);
  });

  it('counts a focused field as being typed into', async () => {
    scheduler.stop();
    focus();
    scheduler = new IdleScheduler(window, clock);
    const runs = ask();
    await pass(299);
    expect(runs()).toBe(false);
    await pass(1);
    expect(runs()).toBe(true);
  });

  it('counts a field as left while the window has no focus', async () => {
    focus();
    vi.mocked(document.hasFocus).mockReturnValue(false);
    const runs = ask('long');
    await pass(300);
    expect(runs()).toBe(true);
  });
});

describe('in a hurry', () => {
  it('stops waiting, also in a wait that has begun', async () => {
    focus();
    press();
    const asked = ask('long');
    await settle();
    scheduler.hurry();
    await pass(0);
    expect(asked()).toBe(true);
    press();
    const later = ask('long');
    await pass(0);
    expect(later()).toBe(true);
  });

  it('still yields to the browser', async () => {
    focus();
    scheduler.hurry();
    const first = ask();
    await settle();
    expect(first()).toBe(false);
    await pass(0);
    expect(first()).toBe(true);
    now += 50;
    const second = ask();
    await settle();
    expect(second()).toBe(false);
  });
});

it('is not called once it is stopped', async () => {
  scheduler.stop();
  press();
  const runs = ask();
  await pass(0);
  expect(runs()).toBe(true);
});
