import type { Platform } from '../model.ts';
import type { State } from '../state.ts';

export const FIRST_POLL_MS = 1000;
const MAX_POLL_MS = 10_000;
/** A shopper who returned from the issuer waits for the result. */
const MAX_RETURNED_POLL_MS = 2000;
/** An abandoned payment may still be paid: it is polled after 3, 5, 10 and 20 seconds, then each minute. */
const WATCH_PAUSES_MS = [3000, 2000, 5000, 10_000];
const MAX_WATCH_MS = 60_000;
/** A payment that is pending, or made elsewhere, may take long. */
const MAX_PENDING_POLL_MS = 30_000;
/** A page polls at once when it becomes visible, so a hidden page polls rarely. */
const MAX_HIDDEN_POLL_MS = 300_000;

/**
 * Returns the pause before the next poll of a session, after one of `ms`. Pauses grow, but stay short while a returned shopper's payment
 * is queried.
 */
export function nextPauseMs(ms: number, { stage, view }: State, hidden: boolean): number {
  if (view.redirected?.returned) return Math.min(ms * 1.6, MAX_RETURNED_POLL_MS);
  const awayMs = hidden ? MAX_HIDDEN_POLL_MS : MAX_PENDING_POLL_MS;
  return Math.min(ms * 1.6, stage.name === 'pending' || stage.name === 'away' ? awayMs : MAX_POLL_MS);
}

/** Waits between polls that can be cut short. */
export class Pauses {
  readonly #wait: Platform['wait'];
  #wake = () => {};
  #woken = this.#sleep();

  constructor(wait: Platform['wait']) {
    this.#wait = wait;
  }

  /** Waits `ms`, or until `hurry` is called: true then. */
  async pause(ms: number): Promise<boolean> {
    const hurried = await Promise.race([this.#wait(ms).then(() => false), this.#woken]);
    if (hurried) this.#woken = this.#sleep();
    return hurried;
  }

  /** Ends the pause, or the next one. */
  hurry(): void {
    this.#wake();
  }

  #sleep(): Promise<boolean> {
    return new Promise((resolve) => {
      this.#wake = () => resolve(true);
    });
  }
}

/** Whether a payment that is not awaited may still arrive: in place of another one, or as a second one. */
export function isWatched({ stage, view }: State): boolean {
  return (stage.name === 'form' || stage.name === 'approved') && view.watched !== undefined;
}

/** Polls every few seconds, then each minute, while it is on. One poll runs at a time. */
export class Watch {
  readonly #wait: Platform['wait'];
  readonly #isOn: () => boolean;
  readonly #poll: () => Promise<void>;
  /** Defined while it runs. */
  #pauses: Pauses | undefined;

  constructor(wait: Platform['wait'], isOn: () => boolean, poll: () => Promise<void>) {
    this.#wait = wait;
    this.#isOn = isOn;
    this.#poll = poll;
  }

  /** Starts or ends the polls. Call it after every change. */
  async update(): Promise<void> {
    if (this.#pauses) return this.#isOn() ? undefined : this.renew();
    this.#pauses = new Pauses(this.#wait);
    for (let polls = 0; this.#isOn(); polls++) {
      const ms = document.hidden ? MAX_HIDDEN_POLL_MS : (WATCH_PAUSES_MS[polls] ?? MAX_WATCH_MS);
      if (await this.#pauses.pause(ms)) polls = -1;
      else if (this.#isOn()) await this.#poll();
    }
    this.#pauses = undefined;
  }

  /** Starts with the short pauses again after a poll of the session. */
  renew(): void {
    this.#pauses?.hurry();
  }
}
