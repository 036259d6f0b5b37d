import type { Scheduler } from './scheduler.ts';

const FONTS = ['11pt "Times New Roman"', '18pt Arial'];
const TEXTS = ['Cwm fjordbank gly', '\u{1f603}'];

/**
 * Draws what the library will draw, a text in a piece. The library's own drawing then finds fonts and emoji loaded, and takes a
 * slow phone 15 ms, not 100.
 */
export async function warmUpCanvas(scheduler: Scheduler): Promise<void> {
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
