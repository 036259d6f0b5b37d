import {
  getWebGLContext,
  hashComponents,
  loadSources,
  type Source,
  sources,
  type UnknownComponents,
} from '@fingerprintjs/fingerprintjs';
import { findFonts } from './fonts.ts';
import type { PieceLength, Scheduler } from './scheduler.ts';
import { readWebGl } from './webgl.ts';

/** What the library's sources are given. */
type Options = Parameters<typeof sources.webGlBasics>[0] & { debug: boolean };

/**
 * What could only fail, and be reported on the console: the first writes markup into a frame and the second a handler into an
 * attribute, which the page's Trusted Types policy forbids; the third sets a cookie that no browser takes in a frame of another
 * site.
 */
const EXCLUDED = ['fontPreferences', 'domBlockers', 'cookiesEnabled'];

/** What may take a slow phone more than 50 ms in one go. */
const LONG = ['timezone', 'dateTimeLocale'];

/** What the library says of audio that is not rendered within half a second, and how often that is tried. */
const AUDIO_TIMED_OUT = -3;
const MAX_AUDIO_TRIES = 3;

/**
 * Reads the fingerprint, a hash of what the browser shows of itself, in the pieces that `scheduler` allows. It is the one that
 * the library reads in one go, however slow the device is. Sends nothing anywhere. `load()` of the library knows neither pieces
 * nor exclusions, so its parts are used; they may change with any version of it, which package.json pins. Throws if a part
 * cannot be read to its end: without it the fingerprint would be another device's.
 */
export async function readFingerprint(scheduler: Scheduler): Promise<string> {
  const options: Options = { cache: {}, debug: false };
  const all: Readonly<Record<string, Source<Options, unknown>>> = {
    ...sources,
    fonts: () => findFonts(scheduler),
    screenFrame: readScreenFrame,
  };
  const components: UnknownComponents = {};
  const read = async (name: string, length?: PieceLength) => {
    await scheduler.next(length);
    const source = all[name];
    if (source) Object.assign(components, await loadSources({ [name]: source }, options, [])());
  };

  const readLong = async () => {
    for (const name of LONG) await read(name, 'long');
  };
  const readAudio = async () => {
    for (let tries = 1; tries <= MAX_AUDIO_TRIES; tries++) {
      await read('audio');
      const { audio } = components;
      if (!(audio && 'value' in audio && audio.value === AUDIO_TIMED_OUT)) return;
    }
    throw new Error('the audio was not rendered in time');
  };
  // WebGL may change what a canvas shows.
  const readGraphics = async () => {
    await warmUpCanvas(scheduler);
    await read('canvas');
    await scheduler.next();
    const context = getWebGLContext(options.cache);
    await read('webGlBasics');
    await scheduler.next();
    if (context?.getParameter) components.webGlExtensions = { value: await readWebGl(context, scheduler), duration: 0 };
    else await read('webGlExtensions');
  };
  const readOthers = async () => {
    const elsewhere = [...EXCLUDED, ...LONG, 'audio', 'canvas', 'webGlBasics', 'webGlExtensions'];
    for (const name of Object.keys(all).filter((name) => !elsewhere.includes(name))) await read(name);
  };

  await Promise.all([readLong(), readAudio(), readGraphics(), readOthers()]);
  await scheduler.next();
  return hashComponents(components);
}

/** If the page fills the screen, as on a phone, the library would measure its frame every 2.5 s without end. This replaces it. */
function readScreenFrame() {
  const before = window.setTimeout(() => {});
  const read = sources.screenFrame();
  const after = window.setTimeout(() => {});
  for (let timer = before; timer <= after; timer++) clearTimeout(timer);
  return read;
}

const FONTS = ['11pt "Times New Roman"', '18pt Arial'];
const TEXTS = ['Cwm fjordbank gly', '\u{1f603}'];

/**
 * Draws what the library will draw, a text in a piece. The library's own drawing then finds fonts and emoji loaded, and takes a
 * slow phone 15 ms, not 100.
 */
async function warmUpCanvas(scheduler: Scheduler): Promise<void> {
  await scheduler.next();
  const context = document.createElement('canvas').getContext('2d');
  if (!context) return;
  for (const font of FONTS) {
    for (const text of TEXTS) {
      await scheduler.next();
      context.font = font;
      context.fillText(text, 2, 15);
    }
  }
}
