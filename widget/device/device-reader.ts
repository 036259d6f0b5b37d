import type { ClientHints, Device } from '../../shared/checkout/pay.ts';
import { IdleScheduler, type Scheduler } from './scheduler.ts';

/**
 * The maximum time that a payment waits for the fingerprint. After typing without a pause on a slow phone, all of it is read after the
 * press of the button, which takes such a phone two seconds.
 */
const LIMIT_MS = 3000;

/** Reads the device's fingerprint, one piece whenever the scheduler allows it. Fails without a fingerprint. */
export type ReadFingerprint = (scheduler: Scheduler) => Promise<string>;

/** Reads the device's data for a payment, in the background until the data is needed. */
export class DeviceReader {
  readonly #self: Window;
  readonly #loadFingerprint: () => Promise<ReadFingerprint | undefined>;
  readonly #scheduler: IdleScheduler;
  #found: Device;
  #running: Promise<void> | undefined;

  /**
   * `accept` is the header with which the browser requested the page, if it is known. `loadFingerprint` returns
   * undefined if its chunk cannot be loaded.
   */
  constructor(
    self: Window,
    accept: string | undefined,
    loadFingerprint: () => Promise<ReadFingerprint | undefined>,
    scheduler = new IdleScheduler(self),
  ) {
    this.#self = self;
    this.#found = accept ? { accept } : {};
    this.#loadFingerprint = loadFingerprint;
    this.#scheduler = scheduler;
  }

  /** Starts in the background; a second call does nothing. Fulfils when all data is read, and never fails. */
  start(): Promise<void> {
    this.#running ??= this.#run();
    return this.#running;
  }

  /**
   * The data that can be read within `limitMs`, for a shopper who waits. The fingerprint is complete or missing. Never
   * fails.
   */
  async read(limitMs = LIMIT_MS): Promise<Device> {
    let timer: number | undefined;
    const limit = new Promise((resolve) => {
      timer = this.#self.setTimeout(resolve, limitMs);
    });
    this.#scheduler.hurry();
    await Promise.race([this.start(), limit]);
    clearTimeout(timer);
    return { ...readBrowserValues(this.#self), ...this.#found };
  }

  async #run(): Promise<void> {
    await Promise.allSettled([this.#warmUp(), this.#readHints(), this.#readFingerprint()]);
    this.#scheduler.stop();
  }

  /**
   * Reading the time zone takes a slow browser 100 ms the first time. There is time for it while the fingerprint's
   * chunk loads.
   */
  async #warmUp(): Promise<void> {
    await this.#scheduler.next('long');
    readBrowserValues(this.#self);
  }

  async #readHints(): Promise<void> {
    this.#keep(await readClientHints(this.#self.navigator));
  }

  async #readFingerprint(): Promise<void> {
    const read = await this.#loadFingerprint();
    if (read) this.#keep({ device_fingerprint: await read(this.#scheduler) });
    // For benchmarks and tests.
    performance.mark('turnpike-device');
  }

  #keep(found: Device): void {
    this.#found = { ...this.#found, ...found };
  }
}

/** The sizes of the 3-D Secure window (EMV codes), largest first. `05`, the full screen, is for the hosted page. */
const WINDOWS = [
  ['03', 500, 600],
  ['04', 600, 400],
  ['02', 390, 400],
  ['01', 250, 400],
] as const;

/** The values that the browser returns at once. A value that cannot be read is left out. */
export function readBrowserValues(self: Window): Device {
  const { screen } = self;
  return {
    browser_lang: attempt(() => self.navigator.language || undefined),
    time_zone: attempt(() => Intl.DateTimeFormat().resolvedOptions().timeZone || undefined),
    resolution: attempt(() => `${screen.width}x${screen.height}`),
    color_depth: attempt(() => String(screen.colorDepth)),
    challenge_window_size: attempt(() => windowSize(self)),
  };
}

/** Reads a value; undefined when that fails. */
function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

// A frame is as high as its form, so only the screen limits the visible part.
function windowSize(self: Window): Device['challenge_window_size'] {
  if (self.parent === self) return '05';
  const fits = WINDOWS.find(([, width, height]) => self.innerWidth >= width && self.screen.availHeight >= height);
  return fits?.[0] ?? '01';
}

/** The used part of User-Agent Client Hints, which TypeScript's libraries lack. */
type HintsNavigator = { userAgentData?: { getHighEntropyValues(names: string[]): Promise<ClientHints> } };

declare global {
  interface Navigator extends HintsNavigator {}
}

const HINTS = ['fullVersionList', 'model', 'platform', 'platformVersion'];

/** Reads the browser's exact version and platform, if the browser provides them. */
async function readClientHints(navigator: HintsNavigator): Promise<Device> {
  const hints = await navigator.userAgentData?.getHighEntropyValues(HINTS);
  if (!hints) return {};
  const { brands, fullVersionList, mobile, model, platform, platformVersion } = hints;
  return { client_hints: { brands, fullVersionList, mobile, model, platform, platformVersion } };
}
