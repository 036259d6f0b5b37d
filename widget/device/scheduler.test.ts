// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Clock, Pace, type Weight } from './scheduler.ts';

let now = 0;
let idle: (() => void)[] = [];
let waits: { until: number; go: () => void }[] = [];
const clock: Clock = {
  now: () => now,
  wait: (ms) => new Promise((go) => waits.push({ until: now + ms, go })),
  idle: () => new Promise((go) => idle.push(go)),
  breathe: async () => {},
};

/** Lets time pass; after it the browser has nothing to do. */
async function pass(ms: number): Promise<void> {
  now += ms;
  for (const { until, go } of waits) if (until <= now) go();
  waits = waits.filter(({ until }) => until > now);
  for (let round = 0; round < 3; round++) {
    for (const go of idle.splice(0)) go();
    await new Promise((done) => setTimeout(done, 0));
  }
}

let pace: Pace;
beforeEach(() => {
  now = 10_000;
  idle = [];
  waits = [];
  document.body.replaceChildren(document.createElement('input'));
  vi.spyOn(document, 'hasFocus').mockReturnValue(true);
  pace = new Pace(window, clock);
});
afterEach(() => pace.stop());

function ask(weight?: Weight): () => boolean {
  let come = false;
  void pace.turn(weight).then(() => {
    come = true;
  });
  return () => come;
}
const press = () => document.querySelector('input')?.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true }));
const open = () => document.querySelector('input')?.focus();

it.each(['light', 'heavy'] as const)('gives a %s piece an idle slot, and no other', async (weight) => {
  const come = ask(weight);
  await new Promise((done) => setTimeout(done, 0));
  expect(come()).toBe(false);
  await pass(0);
  expect(come()).toBe(true);
});

it('lets light pieces share a slot of a few milliseconds, and no heavy one', async () => {
  const first = ask('light');
  await pass(0);
  expect(first()).toBe(true);
  now += 7;
  const [second, heavy] = [ask('light'), ask('heavy')];
  await new Promise((done) => setTimeout(done, 0));
  expect([second(), heavy()]).toEqual([true, false]);
  now += 1;
  const third = ask('light');
  await new Promise((done) => setTimeout(done, 0));
  expect(third()).toBe(false);
});

it.each(['keydown', 'input', 'pointerdown', 'focusin'])('rests for half a second after a %s', async (sign) => {
  document.body.dispatchEvent(new Event(sign, { bubbles: true }));
  const come = ask();
  await pass(499);
  expect(come()).toBe(false);
  await pass(1);
  expect(come()).toBe(true);
});

it('goes on resting while somebody goes on typing', async () => {
  press();
  const come = ask();
  for (let keys = 0; keys < 10; keys++) {
    await pass(300);
    press();
  }
  expect(come()).toBe(false);
  await pass(500);
  expect(come()).toBe(true);
});

it('rests after a key that is pressed while it waits for its slot', async () => {
  const come = ask();
  press();
  await pass(0);
  expect(come()).toBe(false);
  await pass(500);
  expect(come()).toBe(true);
});

it('waits longer while a field is open, and longest with heavy pieces', async () => {
  open();
  press();
  const light = ask('light');
  const heavy = ask('heavy');
  await pass(1199);
  expect([light(), heavy()]).toEqual([false, false]);
  await pass(1);
  expect([light(), heavy()]).toEqual([true, false]);
  await pass(1799);
  expect(heavy()).toBe(false);
  await pass(1);
  expect(heavy()).toBe(true);
});

it('takes somebody who has a field open when it comes to be for somebody who types', async () => {
  pace.stop();
  open();
  pace = new Pace(window, clock);
  const come = ask('light');
  await pass(1199);
  expect(come()).toBe(false);
  await pass(1);
  expect(come()).toBe(true);
});

it('takes a field for closed when the shopper is elsewhere on the shop’s page', async () => {
  open();
  vi.mocked(document.hasFocus).mockReturnValue(false);
  const come = ask('heavy');
  await pass(500);
  expect(come()).toBe(true);
});

it('gives every turn at once when there is haste, also the ones that are waited for', async () => {
  press();
  const come = ask('heavy');
  pace.hurry();
  await new Promise((done) => setTimeout(done, 0));
  expect(come()).toBe(true);
  press();
  await pace.turn('heavy');
});

it('hears nothing any more once it is stopped', async () => {
  pace.stop();
  press();
  document.body.dispatchEvent(new Event('pointerdown', { bubbles: true }));
  const come = ask();
  await pass(0);
  expect(come()).toBe(true);
});
