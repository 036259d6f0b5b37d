import {
  getWebGLContext,
  hashComponents,
  loadSources,
  sources,
  type UnknownComponents,
  type UnknownSources,
} from '@fingerprintjs/fingerprintjs';
import { findFonts } from './fonts.ts';
import { readInPieces } from './remembering.ts';
import type { Pace, Weight } from './scheduler.ts';

/** What the library's sources are given. */
type Options = Parameters<typeof sources.webGlExtensions>[0] & { debug: boolean };

/**
 * What could only fail, and be reported on the console: the first writes markup into a frame and the second a handler into an
 * attribute, which the page's Trusted Types policy forbids; the third sets a cookie that no browser takes in a frame of another
 * site.
 */
const EXCLUDED = ['fontPreferences', 'domBlockers', 'cookiesEnabled'];

/** What takes a slow device 20 ms or more in one go, and what must come after those. WebGL may change what canvas shows. */
const HEAVY = ['timezone', 'canvas', 'audio', 'webGlBasics', 'webGlExtensions'];

/**
 * Reads the fingerprint, a hash of what the browser shows of itself, a piece in each turn that `pace` gives. Sends nothing
 * anywhere. `load()` of the library knows neither pieces nor exclusions, so its parts are used; they may change with any
 * version of it, which package.json pins.
 */
export async function readFingerprint(pace: Pace): Promise<string> {
  const options: Options = { cache: {}, debug: false };
  const all: UnknownSources<Options> = {
    ...sources,
    fonts: () => findFonts(pace),
    screenFrame: readScreenFrame,
    webGlExtensions: (given) => readWebGlExtensions(given, pace),
  };
  const light = Object.keys(all).filter((name) => !EXCLUDED.includes(name) && !HEAVY.includes(name));
  const components: UnknownComponents = {};
  const take = async (names: readonly string[], weight: Weight) => {
    for (const name of names) {
      const source = all[name];
      if (!source) continue;
      await pace.turn(weight);
      Object.assign(components, await loadSources({ [name]: source }, options, [])());
    }
  };
  await Promise.all([take(HEAVY, 'heavy'), take(light, 'light')]);
  await pace.turn('heavy');
  return hashComponents(components);
}

/** Asks WebGL four hundred questions, each of which waits for another process. */
function readWebGlExtensions({ cache }: Options, pace: Pace) {
  const context = getWebGLContext(cache);
  if (!context) return sources.webGlExtensions({ cache });
  return readInPieces(context, (context) => sources.webGlExtensions({ cache: { webgl: { context } } }), pace);
}

/** Where the page fills the screen, as on a phone, the library looks for its frame every 2.5 s, for ever: not here. */
function readScreenFrame() {
  const before = window.setTimeout(() => {});
  const read = sources.screenFrame();
  const after = window.setTimeout(() => {});
  for (let timer = before; timer <= after; timer++) clearTimeout(timer);
  return read;
}
