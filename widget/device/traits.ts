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
import { EXCLUDED } from './sources.ts';
import { readWebGl } from './webgl.ts';

/** The options of the library's sources. */
type Options = Parameters<typeof sources.webGlBasics>[0] & { debug: boolean };

/** Sources that may take a slow phone more than 50 ms at once. */
const LONG = ['timezone', 'dateTimeLocale'];

/** The library's result for audio that is not rendered within half a second, and the maximum number of tries. */
const AUDIO_TIMED_OUT = -3;
const MAX_AUDIO_TRIES = 3;

/**
 * Reads the fingerprint, a hash of the browser's properties, in the pieces that `scheduler` allows. The result is the
 * one of the library's `load()`, however slow the device is. Sends nothing. `load()` supports neither pieces nor
 * exclusions, so the parts of the library are used; each version may change them, and package.json pins the version.
 * Throws if a part cannot be read completely, because the fingerprint would then be that of another device.
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
  // WebGL may change the contents of a canvas.
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

/**
 * Replaces the library's source: if the page fills the screen, as on a phone, the library would measure its frame every
 * 2.5 s endlessly.
 */
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
 * Draws everything that the library will draw, one text in each piece. The library then finds fonts and emoji loaded,
 * and takes a slow phone 15 ms instead of 100.
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
