import type { Device } from '../../shared/checkout/pay.ts';
import { readBrowserValues } from './browser-values.ts';

type Slow = {
  takeFingerprint(self: Window): { found: Promise<Device>; hurry(): void };
  readClientHints(navigator: Navigator): Promise<Device>;
};

/** What the slow collectors have found by now; each fails for itself. */
export class DeviceReader {
  readonly #self: Window;
  readonly #loadSlow: () => Promise<Slow>;
  #found: Device = {};
  #running: Promise<void> | undefined;
  #hurried = false;
  #hurry: (() => void) | undefined;

  constructor(self: Window, loadSlow: () => Promise<Slow>) {
    this.#self = self;
    this.#loadSlow = loadSlow;
  }

  /** Starts the slow collectors, which take their time; a second call does nothing. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * All that is known after at most `limitMs`, with the slow collectors in haste. A fingerprint that is not whole is left out:
   * it would be another device's. Never fails.
   */
  async read(limitMs: number): Promise<Device> {
    this.#hurried = true;
    this.#hurry?.();
    let timer: number | undefined;
    const limit = new Promise((resolve) => {
      timer = this.#self.setTimeout(resolve, limitMs);
    });
    await Promise.race([this.start(), limit]);
    clearTimeout(timer);
    return { ...readBrowserValues(this.#self), ...this.#found };
  }

  async #run(): Promise<void> {
    try {
      const slow = await this.#loadSlow();
      const keep = (found: Device) => {
        this.#found = { ...this.#found, ...found };
      };
      const taking = slow.takeFingerprint(this.#self);
      this.#hurry = () => taking.hurry();
      if (this.#hurried) this.#hurry();
      const readClientHints = async () => slow.readClientHints(this.#self.navigator);
      await Promise.allSettled([taking.found.then(keep), readClientHints().then(keep)]);
    } catch {
      // The chunk did not load: the payment goes without.
    }
  }
}
