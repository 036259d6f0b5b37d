import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';
import type { ReadFingerprint } from '../../widget/device/device-reader.ts';

/** The baseline: the library's own way to read the fingerprint in one go. It takes the place of ours. */
export const readFingerprint: ReadFingerprint = async () => {
  const read = loadSources(sources, { cache: {}, debug: false }, ['fontPreferences' as const, 'domBlockers' as const]);
  return hashComponents(await read());
};
