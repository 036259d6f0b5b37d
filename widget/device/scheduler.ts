/** What a piece of work costs a slow device: a `light` one a few milliseconds, a `heavy` one up to a hundred. */
export type Weight = 'light' | 'heavy';

/** How long nobody may have stirred: nobody types without a field that is open; with one, a pause is rarely longer than this. */
const QUIET_MS = { closed: { light: 500, heavy: 500 }, open: { light: 1200, heavy: 3000 } } as const;

/** Light pieces go on in one slot until so much of it is over: the next slot may be 50 ms away. */
const SLOT_MS = 8;

/** What says that somebody is at the form, or about to type: a touch and a focus come before the first key. */
const SIGNS = ['keydown', 'input', 'pointerdown', 'focusin'] as const;

export type Clock = { now(): number; wait(ms: number): Promise<void>; idle(): Promise<void>; breathe(): Promise<void> };

/**
 * Says when slow work may go on: piece by piece, in idle slots, a heavy one in one of its own, none while somebody types or
 * touches the page, and hardly any while a field is open. `hurry` ends the waiting, `stop` the listening.
 */
export class Pace {
  readonly #self: Window;
  readonly #clock: Clock;
  #stirredAt: number;
  #slotUntil = Number.NEGATIVE_INFINITY;
  #hurried = false;
  #wake: () => void = () => {};
  readonly #woken = new Promise<void>((resolve) => {
    this.#wake = resolve;
  });

  constructor(self: Window, clock: Clock = clockOf(self)) {
    this.#self = self;
    this.#clock = clock;
    // We come late: somebody may be typing already.
    this.#stirredAt = this.#field() === 'open' ? clock.now() : Number.NEGATIVE_INFINITY;
    for (const sign of SIGNS) self.addEventListener(sign, this.#stir, { capture: true, passive: true });
  }

  /** Fulfils when the next piece may run, at once after it. */
  async turn(weight: Weight = 'light'): Promise<void> {
    if (weight === 'light' && this.#clock.now() < this.#slotUntil) return;
    while (!this.#hurried) {
      const rest = this.#restMs(weight);
      await Promise.race([rest > 0 ? this.#clock.wait(rest) : this.#clock.idle(), this.#woken]);
      if (rest > 0 || this.#restMs(weight) > 0 || this.#hurried) continue;
      this.#slotUntil = this.#clock.now() + SLOT_MS;
      return;
    }
    // Whoever waits must still see that something happens.
    await this.#clock.breathe();
    this.#slotUntil = this.#clock.now() + SLOT_MS;
  }

  /** From now on a turn comes at once. */
  hurry(): void {
    this.#hurried = true;
    this.#wake();
  }

  stop(): void {
    for (const sign of SIGNS) this.#self.removeEventListener(sign, this.#stir, { capture: true });
  }

  readonly #stir = (): void => {
    this.#stirredAt = this.#clock.now();
  };

  #restMs(weight: Weight): number {
    return this.#stirredAt + QUIET_MS[this.#field()][weight] - this.#clock.now();
  }

  #field(): 'open' | 'closed' {
    const { document } = this.#self;
    return document.hasFocus() && document.activeElement !== document.body ? 'open' : 'closed';
  }
}

function clockOf(self: Window): Clock {
  return {
    now: () => performance.now(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    // Safari has no idle slots: a pause is the next best.
    idle: () =>
      new Promise((resolve) => {
        if (self.requestIdleCallback) self.requestIdleCallback(() => resolve());
        else setTimeout(resolve, 30);
      }),
    // A timer would be slowed down after a few turns.
    breathe: () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(undefined);
      }),
  };
}
