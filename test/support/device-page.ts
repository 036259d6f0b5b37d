import { hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';
import { findFonts } from '../../widget/device/fonts.ts';
import { takeFingerprint } from '../../widget/device/slow.ts';

/** Runs in a browser: our fingerprint, and the library's own of the same sources. */
const device = {
  ours: () => takeFingerprint(window).found,
  hurried: () => {
    const taking = takeFingerprint(window);
    taking.hurry();
    return taking.found;
  },
  whole: async () =>
    hashComponents(
      await loadSources(sources, { cache: {}, debug: false }, [
        'fontPreferences' as const,
        'domBlockers' as const,
        'cookiesEnabled' as const,
      ])(),
    ),
  fonts: (names: string[]) => findFonts({ turn: async () => {} }, names),
};

declare global {
  interface Window {
    device: typeof device;
  }
}
window.device = device;
