import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';
import type { ClientHints, Device } from '../../shared/checkout/pay.ts';

/** The part of User-Agent Client Hints that we read; TypeScript's own libraries leave it out. */
type HintsNavigator = { userAgentData?: { getHighEntropyValues(names: string[]): Promise<ClientHints> } };

declare global {
  interface Navigator extends HintsNavigator {}
}

const HINTS = ['fullVersionList', 'model', 'platform', 'platformVersion'];

/** Writes markup into a frame, which the page's Trusted Types policy forbids: it could only fail, and be reported. */
const EXCLUDED = ['fontPreferences'] as const;

/**
 * Reads the fingerprint: a hash of what the browser shows of itself. Sends nothing anywhere. `load()` knows no exclusions, so
 * its parts are used; they may change with any version of the library, which package.json pins.
 */
export async function readFingerprint(): Promise<Device> {
  const components = await loadSources(sources, { cache: {}, debug: false }, EXCLUDED)();
  return { device_fingerprint: hashComponents(components) };
}

/** Reads the browser's exact version and platform, where it tells them. */
export async function readHints(navigator: HintsNavigator): Promise<Device> {
  const hints = await navigator.userAgentData?.getHighEntropyValues(HINTS);
  if (!hints) return {};
  const { brands, fullVersionList, mobile, model, platform, platformVersion } = hints;
  return { client_hints: { brands, fullVersionList, mobile, model, platform, platformVersion } };
}
