import type { Device } from '../../shared/checkout/pay.ts';
import { readBasics } from './basics.ts';

type Slow = { readFingerprint(): Promise<Device>; readHints(navigator: Navigator): Promise<Device> };

/** What the slow collectors have found by now; each fails for itself. */
export class DeviceReader {
  readonly #self: Window;
  readonly #loadSlow: () => Promise<Slow>;
  #found: Device = {};
  #running: Promise<void> | undefined;

  constructor(self: Window, loadSlow: () => Promise<Slow>) {
    this.#self = self;
    this.#loadSlow = loadSlow;
  }

  /** Starts the slow collectors; a second call does nothing. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /** All that is known after at most `limitMs`. Never fails. */
  async read(limitMs: number): Promise<Device> {
    await Promise.race([this.start(), new Promise((resolve) => setTimeout(resolve, limitMs))]);
    return { ...readBasics(this.#self), ...this.#found };
  }

  async #run(): Promise<void> {
    try {
      const slow = await this.#loadSlow();
      const keep = (found: Device) => {
        this.#found = { ...this.#found, ...found };
      };
      await Promise.allSettled([
        slow.readFingerprint().then(keep),
        Promise.resolve(slow.readHints(this.#self.navigator)).then(keep),
      ]);
    } catch {
      // The chunk did not load: the payment goes without.
    }
  }
}
