import { CHANNEL as channel } from '../../../shared/checkout/frame.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import { ANSWER, ASK, type Probed, READY } from './probed.ts';

const FRAME_MS = 6000;
const ANSWER_MS = 12_000;

/** What the hidden frame said, or what kept it from saying anything. */
export type Visit = { kind: 'probed'; probed: Probed } | { kind: 'forbidden'; policy: string } | { kind: 'silent' };

/**
 * Asks about a session in a hidden frame of the checkout's origin; the secret goes to that origin alone. Every wait has an end,
 * and nothing of it stays in the page.
 */
export async function visit(page: Window, origin: string, session: string): Promise<Visit> {
  const { document } = page;
  const frame = document.createElement('iframe');
  frame.src = `${origin}/checkout/doctor`;
  frame.title = 'Turnpike.doctor()';
  frame.style.cssText = 'position:absolute;width:0;height:0;border:0;visibility:hidden';
  const over = new AbortController();
  const { signal } = over;
  try {
    return await new Promise<Visit>((done) => {
      let limit = page.setTimeout(() => done({ kind: 'silent' }), FRAME_MS);
      signal.addEventListener('abort', () => page.clearTimeout(limit));
      document.addEventListener(
        'securitypolicyviolation',
        ({ effectiveDirective, blockedURI, disposition, originalPolicy }) => {
          if (disposition === 'enforce' && effectiveDirective === 'frame-src' && blockedURI.startsWith(origin)) {
            done({ kind: 'forbidden', policy: originalPolicy });
          }
        },
        { signal },
      );
      page.addEventListener(
        'message',
        ({ source, origin: sender, data }: MessageEvent<unknown>) => {
          if (source !== frame.contentWindow || sender !== origin || !isObject(data) || data.channel !== channel)
            return;
          if (data.type === READY) {
            page.clearTimeout(limit);
            limit = page.setTimeout(() => done({ kind: 'silent' }), ANSWER_MS);
            frame.contentWindow?.postMessage({ channel, type: ASK, session }, origin);
          } else if (data.type === ANSWER && isProbed(data.probed)) done({ kind: 'probed', probed: data.probed });
        },
        { signal },
      );
      document.documentElement.append(frame);
    });
  } finally {
    over.abort();
    frame.remove();
  }
}

function isProbed(probed: unknown): probed is Probed {
  return isObject(probed) && typeof probed.session === 'string';
}
