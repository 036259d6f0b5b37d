import { GONE_GIVE_UP_MS } from '../../shared/webhooks/signing.ts';
import type { Io } from '../base/io.ts';
import { isTaken, postWebhook, type Tried, type Webhook } from '../webhooks/post.ts';

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 10_000;

/** An event to forward. Events of one subject are forwarded in order. */
export type Forwarded = Webhook & { subject: string; created_at: string };

/** The result of a try: the event is done, it is tried again after a time, or the shop is down. */
export type Next = { kind: 'delivered' | 'gone' | 'stopped' } | { kind: 'again' | 'down'; inMs: number };

type Waiting = { event: Forwarded; tries: number; dueAt: number; firstTryAt?: number };

type Forwarder = {
  add(events: readonly Forwarded[]): void;
  /** Sends the due events one after another, until none is due, the shop is down, or it is stopped. */
  forward(stopping: AbortSignal, cutting: AbortSignal): Promise<void>;
  /** The time until the next try while the shop is down; undefined if it is not. */
  downForMs(): number | undefined;
  /** Whether a sent event has no answer yet. */
  isSending(): boolean;
  /** The waiting events, oldest first. */
  waiting(): readonly Forwarded[];
  delivered(): number;
};

/**
 * Forwards events in order. A refused event is tried again, and only events of its subject wait for it; while the shop
 * sends no answer, all events wait. An event that is still answered with 410 a day after its first try is given up, as
 * the relay does. `tell` is called for each try.
 */
export function createForwarder(
  io: Io,
  to: { url: string; secret: string },
  tell: (event: Forwarded, tried: Tried, next: Next) => void,
): Forwarder {
  let queue: Waiting[] = [];
  let downUntil: number | undefined;
  let delivered = 0;
  let isSending = false;
  const now = () => io.now().getTime();

  /** The oldest due event that waits for no earlier one. */
  function due(): Waiting | undefined {
    const held = new Set<string>();
    return queue.find(({ event: { subject }, dueAt }) => {
      const isDue = dueAt <= now() && !held.has(subject);
      held.add(subject);
      return isDue;
    });
  }

  function after(waiting: Waiting, tried: Tried): Next {
    if (tried.kind === 'stopped') return { kind: 'stopped' };
    if (isTaken(tried)) return { kind: 'delivered' };
    waiting.firstTryAt ??= now();
    const isGone = tried.kind === 'answered' && tried.status === 410;
    if (isGone && now() >= waiting.firstTryAt + GONE_GIVE_UP_MS) return { kind: 'gone' };
    waiting.tries += 1;
    const inMs = Math.min(FIRST_WAIT_MS * 2 ** (waiting.tries - 1), MAX_WAIT_MS);
    // A timeout concerns one event; a shop that is down accepts no connection.
    const isDown = tried.kind === 'no_answer' && tried.fault !== 'timeout';
    return { kind: isDown ? 'down' : 'again', inMs };
  }

  return {
    add(events) {
      queue = queue.concat(events.map((event) => ({ event, tries: 0, dueAt: 0 })));
    },
    async forward(stopping, cutting) {
      downUntil = undefined;
      for (let next = due(); next && !stopping.aborted; next = due()) {
        const waiting = next;
        isSending = true;
        const tried = await postWebhook(io, to, waiting.event, { stopping: cutting });
        isSending = false;
        const follows = after(waiting, tried);
        tell(waiting.event, tried, follows);
        switch (follows.kind) {
          case 'delivered':
          case 'gone':
            if (follows.kind === 'delivered') delivered += 1;
            queue.splice(queue.indexOf(waiting), 1);
            break;
          case 'again':
            waiting.dueAt = now() + follows.inMs;
            break;
          case 'down':
            downUntil = now() + follows.inMs;
            return;
          case 'stopped':
            return;
        }
      }
    },
    downForMs: () => (downUntil === undefined ? undefined : Math.max(downUntil - now(), 0)),
    isSending: () => isSending,
    waiting: () => queue.map(({ event }) => event),
    delivered: () => delivered,
  };
}
