import { getWebGLContext, hashComponents, loadSources, sources } from '@fingerprintjs/fingerprintjs';
import { findFonts } from '../../../widget/device/fonts.ts';
import { IdleScheduler, type Scheduler } from '../../../widget/device/scheduler.ts';
import { readFingerprint } from '../../../widget/device/traits.ts';
import { readWebGl } from '../../../widget/device/webgl.ts';

const noWaiting: Scheduler = { next: async () => {} };
const options = () => ({ cache: {}, debug: false });

/** Runs in a browser: our fingerprint, and the library's of the same sources. */
const device = {
  async ours() {
    const scheduler = new IdleScheduler(window);
    const read = await readFingerprint(scheduler);
    scheduler.stop();
    return read;
  },
  hurried() {
    const scheduler = new IdleScheduler(window);
    const reading = readFingerprint(scheduler);
    scheduler.hurry();
    return reading;
  },
  async library() {
    const excluded = ['fontPreferences', 'domBlockers', 'cookiesEnabled'] as const;
    return hashComponents(await loadSources(sources, options(), excluded)());
  },
  fonts: (names: string[]) => findFonts(noWaiting, names),
  async webGl() {
    const context = getWebGLContext({});
    if (!context) return undefined;
    return { ours: await readWebGl(context, noWaiting), library: sources.webGlExtensions(options()) };
  },
  /** Our fingerprint with a lost graphics context. */
  lostWebGl() {
    const context = getWebGLContext({});
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context && readWebGl(context, noWaiting);
  },
  /** The next `times` audio renderings never finish. */
  stallAudio(times: number) {
    const { startRendering } = OfflineAudioContext.prototype;
    let left = times;
    OfflineAudioContext.prototype.startRendering = function (this: OfflineAudioContext) {
      if (left-- <= 0) return startRendering.call(this);
      Object.defineProperty(this, 'state', { value: 'running' });
      return new Promise(() => {});
    };
  },
};

declare global {
  interface Window {
    device: typeof device;
  }
}
window.device = device;
