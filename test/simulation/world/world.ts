import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import { type Random, randomOf } from './random.ts';

/** The invariants; see the folder `invariants`. */
export const invariants = [
  'no payment beside another',
  'query before payment',
  'every charge is reported',
  'one payment stays',
  'only facts are reported',
  'no false decline',
  'a shopper who hung up pays nothing',
  'no redirect for a paid order',
  'limits are fair',
  'proof is kept',
  'a decline is its own',
  'pending raises no alarm',
  'one transaction pays one order',
  'one order spoils no other',
  'queries back off',
  'effects once',
  'references once',
  'operations are reported once',
  'refunds within the payment',
  'operations within the payment',
  'an order’s operation is as answered',
  'an order shows what was done',
  'no refund beside a late one',
  'a refund ends as a search tells',
  'what searches tell needs no person',
  'nothing answered is missing',
  'no order is stuck',
  'a held order is reported',
  'no order is free too early',
  'later charges pay nothing',
  'every later charge is reported',
  'a person can free an order',
  'every change is reported',
  'a changed order is reported',
  'query limits',
  'notifications end',
  'webhooks in order',
  'requests are answered',
  'what was not sent is known',
  'messages are signed',
  'absence is proved',
  'a signed approval is never absent',
  'a pending answer is not unknown',
  'credit where it is due',
  'a notification is followed',
  'a return has its time',
  'a page view is not a return',
  'the shopper gives it up',
  'unpaid is reported with its proof',
  'queries have a budget',
  'ready is reported once',
  'the gateway’s changes are reported',
  'a payout is made once',
  'a payout ends by the last word',
  'outcomes belong to their items',
  'what may be refunded is reserved',
  'keys answer alike',
  'what was not sent can be sent',
  'nothing is sent too late',
  'who pays knows of other payments',
  'what is read is stored',
  'requests wait ten seconds at most',
  'a wrong clock delays nothing',
  'a new secret refuses no caller',
  'webhooks are tried for a day',
  'who is paused changes nothing',
] as const;
export type Invariant = (typeof invariants)[number];

export type Breach = { invariant: Invariant; detail: string };

/** The parts that all of one simulated world share. */
export type World = {
  clock: Clock;
  random: (name: string) => Random;
  /** Writes a line of the trace. */
  say(line: string): void;
  /** Counts events: a later event has a higher number. */
  next(): number;
  breach(invariant: Invariant, detail: string): void;
  breaches: readonly Breach[];
  /** The hash of every line so far. */
  hash(): string;
};

/** The inputs of a world's random numbers, and its start. */
type Beginning = { seed: number; start: number };

export function createWorld(clock: Clock, { seed, start }: Beginning, tell?: (line: string) => void): World {
  const hash = createHash('sha256');
  const streams = new Map<string, Random>();
  const breaches: Breach[] = [];
  let count = 0;
  clock.reset(start);
  const say = (line: string): void => {
    const timed = `${new Date(clock.now()).toISOString()} ${line}\n`;
    hash.update(timed);
    tell?.(timed);
  };
  return {
    clock,
    random(name) {
      const stream = streams.get(name) ?? randomOf(seed, name);
      streams.set(name, stream);
      return stream;
    },
    say,
    next: () => ++count,
    breaches,
    breach(invariant, detail) {
      say(`BREACH ${invariant}: ${detail}`);
      breaches.push({ invariant, detail });
    },
    hash: () => hash.copy().digest('hex'),
  };
}
