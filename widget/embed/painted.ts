import { CHANNEL as channel } from '../../shared/checkout/frame.ts';

// Runs inline in the form's document, as soon as the server's HTML is parsed. The frame becomes visible then, long before the form's
// own script runs.

const ASK_EVERY_MS = 4;
/** The waits that are left. A hidden frame has no width, and must not look like a frame that fails to load. */
let waits = 80;

function postHeight(): void {
  // A document can exist before its frame has a width: its layout is narrow and much too high then.
  if (!innerWidth && waits--) {
    setTimeout(postHeight, ASK_EVERY_MS);
    return;
  }
  // The form's script has started and has sent its own message. A later message from here would look like that of another document.
  if (!innerWidth && 'turnpikeForm' in self) return;
  // Without a width there is no height. The form sends it once its script runs.
  const height = innerWidth && Math.ceil(document.getElementById('checkout')?.getBoundingClientRect().height ?? 0);
  // Any page may receive the height: it is no secret, and frame-ancestors decides which pages contain the form. Nothing else is sent to '*'.
  parent.postMessage({ channel, type: 'painted', height }, '*');
}
if (parent !== self) postHeight();
