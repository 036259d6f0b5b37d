import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';

export { readClientHints } from '../../widget/device/client-hints.ts';

/** The baseline: the library's own way to take all of the fingerprint at once. It takes the place of our collectors. */
export function takeFingerprint() {
  const read = loadSources(sources, { cache: {}, debug: false }, ['fontPreferences' as const]);
  const found = read().then((components) => {
    const device_fingerprint = hashComponents(components);
    performance.mark('turnpike-device');
    return { device_fingerprint };
  });
  return { found, hurry: () => {} };
}
