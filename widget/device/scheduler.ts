/** The duration of a piece of work on a slow phone: less than 50 ms for `short`, more for `long`. */
export type PieceLength = 'short' | 'long';

/** How long the form must be untouched before a piece runs: longer than the time between two keys. */
const QUIET_MS = 300;

/** The same for long pieces while a field has the focus: longer than the pause between two groups of a card number. */
const LONG_QUIET_MS = 1500;

/** How long short pieces run one after another before the browser gets its turn. */
const SLICE_MS = { unfocused: 50, focused: 8 } as const;

/** Events that show that the shopper types or is about to type: a touch and a focus come before the first key. */
const ACTIVITY_EVENTS = ['keydown', 'input', 'pointerdown', 'focusin'] as const;

export type Clock = {
  now(): number;
  wait(ms: number): Promise<void>;
  /** Lets the browser handle pending events. */
  yield(): Promise<void>;
};

/** Decides when pieces of background work may run. */
export type Scheduler = Pick<IdleScheduler, 'next'>;

/**
 * Runs background work in pieces: none while the shopper types, small slices while they may type, and larger ones
 * otherwise.
 */
export class IdleScheduler {
  readonly #self: Window;
  readonly #clock: Clock;
  #activeAt: number;
  #sliceEnd = Number.NEGATIVE_INFINITY;
  #hurried = false;
  #endWait: () => void = () => {};
  readonly #waitEnded = new Promise<void>((resolve) => {
    this.#endWait = resolve;
  });

  constructor(self: Window, clock: Clock = browserClock) {
    this.#self = self;
    this.#clock = clock;
    // The shopper may be typing already.
    this.#activeAt = this.#focus() === 'focused' ? clock.now() : Number.NEGATIVE_INFINITY;
    for (const type of ACTIVITY_EVENTS) self.addEventListener(type, this.#noteActivity, LISTENING);
  }

  /** Fulfils when the next piece may run. The piece must run at once then. */
  async next(length: PieceLength = 'short'): Promise<void> {
    if (length === 'short' && this.#clock.now() < this.#sliceEnd && this.#restMs(length) <= 0) return;
    do {
      const rest = this.#restMs(length);
      if (rest > 0) await Promise.race([this.#clock.wait(rest), this.#waitEnded]);
      else await this.#clock.yield();
    } while (this.#restMs(length) > 0);
    this.#sliceEnd = this.#clock.now() + SLICE_MS[this.#hurried ? 'unfocused' : this.#focus()];
  }

  /** From now on no piece waits for the shopper, because the shopper waits for the work. */
  hurry(): void {
    this.#hurried = true;
    this.#endWait();
  }

  /** Stops listening to the page. */
  stop(): void {
    for (const type of ACTIVITY_EVENTS) this.#self.removeEventListener(type, this.#noteActivity, LISTENING);
  }

  readonly #noteActivity = (): void => {
    this.#activeAt = this.#clock.now();
  };

  #restMs(length: PieceLength): number {
    if (this.#hurried) return 0;
    const quietMs = length === 'long' && this.#focus() === 'focused' ? LONG_QUIET_MS : QUIET_MS;
    return this.#activeAt + quietMs - this.#clock.now();
  }

  #focus(): 'focused' | 'unfocused' {
    const { document } = this.#self;
    return document.hasFocus() && document.activeElement !== document.body ? 'focused' : 'unfocused';
  }
}

const LISTENING = { capture: true, passive: true } as const;

/**
 * Messages let the browser handle input first, and are not slowed down like timers. In a frame that draws nothing,
 * Chromium sometimes never calls back after requestIdleCallback.
 */
const browserClock: Clock = {
  now: () => performance.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  yield: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(undefined);
    }),
};
