import type { Device } from '../../shared/checkout/pay.ts';
import { readFingerprint } from './fingerprint.ts';
import { Pace } from './scheduler.ts';

export { readClientHints } from './client-hints.ts';

/** A fingerprint that is being taken. */
export type Taking = {
  /** Fails where there is none. */
  found: Promise<Device>;
  /** Has the rest taken at once. */
  hurry(): void;
};

/** Begins to take the fingerprint, in pieces that nobody who types is slowed by. When it is taken nothing goes on running. */
export function takeFingerprint(self: Window): Taking {
  const pace = new Pace(self);
  const found = readFingerprint(pace)
    .then((device_fingerprint) => ({ device_fingerprint }))
    .finally(() => {
      pace.stop();
      // For whoever measures.
      performance.mark('turnpike-device');
    });
  return { found, hurry: () => pace.hurry() };
}
