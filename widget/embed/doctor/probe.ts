import { CHANNEL as channel, PROBE, PROBE_READY, PROBED, type Probed } from '../../../shared/checkout/frame.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';

// Runs inline in the doctor's hidden page, which any page may frame. It can check what the shop's own page cannot.

const LIMIT_MS = 5000;

addEventListener('message', async ({ source, origin, data }: MessageEvent<unknown>) => {
  if (source !== parent || !isObject(data) || data.channel !== channel || data.type !== PROBE) return;
  const probed = await probe(String(data.session), origin);
  parent.postMessage({ channel, type: PROBED, session: data.session, probed }, origin);
});
// Announces itself to the page around it.
parent.postMessage({ channel, type: PROBE_READY }, '*');

/** Checks a session. Without its secret, the report contains only what is public. */
async function probe(secret: string, holder: string): Promise<Probed> {
  const submits = canSubmit();
  const ask = (path: string, headers = {}) => fetch(path, { headers, signal: AbortSignal.timeout(LIMIT_MS) });
  try {
    const page = await ask(`/checkout/${encodeURIComponent(secret.split('.')[0] ?? '')}`);
    if (page.status === 404) return { session: 'unknown', submits };
    const answer = await ask('/checkout/api/session', { Authorization: `Bearer ${secret}` });
    if (answer.status === 401) return { session: 'wrong_secret', submits };
    const view: unknown = await answer.json();
    if (!answer.ok || !isObject(view)) return { session: 'unreachable', submits };
    const policy = page.headers.get('Content-Security-Policy') ?? '';
    const allowed = /frame-ancestors ([^;]*)/.exec(policy)?.[1]?.split(' ') ?? [];
    const around = new Set([holder, ...(location.ancestorOrigins ?? [])]);
    const refused = [...around].filter((origin) => !allowed.includes(origin));
    return { session: 'known', status: String(view.status), refused, submits };
  } catch {
    return { session: 'unreachable', submits };
  }
}

/** Whether a form in a frame of this page can be sent at all. */
function canSubmit(): boolean {
  const form = document.createElement('form');
  let submits = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submits = true;
  });
  document.documentElement.append(form);
  form.requestSubmit();
  form.remove();
  return submits;
}
