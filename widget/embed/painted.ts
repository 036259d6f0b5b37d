import { CHANNEL as channel } from '../../shared/checkout/frame.ts';

// Runs inline in the form's document, as soon as what the server rendered has been parsed: the frame is shown then, long before
// the form's own script is there.

const ASK_EVERY_MS = 4;
/** A frame that is hidden has no width, and must not be taken for one that does not come. */
let waits = 80;

function postHeight(): void {
  // A document can be there before its frame has its width: it is narrow and much too high then.
  if (!innerWidth && waits--) {
    setTimeout(postHeight, ASK_EVERY_MS);
    return;
  }
  // The form's script has started meanwhile and has sent its own message: a later one from here would seem to come from another document.
  if (!innerWidth && 'turnpikeForm' in self) return;
  // Without a width there is no height to take: the form sends one once it runs.
  const height = innerWidth && Math.ceil(document.getElementById('checkout')?.getBoundingClientRect().height ?? 0);
  // To the page that holds the frame: frame-ancestors decides which may, and a height is no secret. Nothing else may go to '*'.
  parent.postMessage({ channel, type: 'painted', height }, '*');
}
if (parent !== self) postHeight();
