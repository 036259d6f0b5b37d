import { CHANNEL as channel, PROBE, PROBE_READY, PROBED, type Probed } from '../../../shared/checkout/frame.ts';
import { isObject } from '../../../shared/checkout/is-object.ts';
import type { Finding } from '../../../shared/checkout/page.ts';
import { checkPage, findCheckouts, sessionOf } from './page.ts';

/** Finds what keeps the checkout of `origin` from working on this page, and prints it with the lines that fix it. Never fails. */
export async function doctor(origin: string): Promise<Finding[]> {
  const found = checkPage(window, origin);
  // No frame can answer a page without an origin.
  if (window.origin !== 'null') found.push(...(await checkFromInside(origin)));
  for (const { code, message, fix } of found) console.warn(`Turnpike: ${code}. ${message}\nTo mend it: ${fix}`);
  if (!found.length) console.info('Turnpike: nothing is wrong with this page.');
  return found;
}

/** The findings of a frame of the checkout's own origin. Without a session it finds only whether the page allows the frame. */
async function checkFromInside(origin: string): Promise<Finding[]> {
  const sessions = new Set(findCheckouts(document).map(sessionOf));
  const found: Finding[] = [];
  for (const session of sessions) found.push(...findingsOf(origin, session, await visit(window, origin, session)));
  // A finding about the page is reported once, for any number of checkouts.
  return [...new Map(found.map((finding) => [JSON.stringify(finding), finding])).values()];
}

function findingsOf(origin: string, session: string, visited: Visit): Finding[] {
  switch (visited.kind) {
    case 'forbidden':
      return [
        {
          code: 'frame_forbidden',
          message: `The page’s Content-Security-Policy does not let frames of ${origin} in.`,
          fix: `Content-Security-Policy: … ${frameLine(visited.policy, origin)}; …`,
        },
      ];
    case 'silent':
      return [
        {
          code: 'frame_silent',
          message: `A frame of ${origin} did not answer: the server is down or slow, or an extension, a proxy or the browser blocks it.`,
          fix: `Open ${origin}/checkout/doctor in a tab of this browser, and let through what it cannot load.`,
        },
      ];
    case 'probed':
      return [...formFindings(visited.probed), ...(session ? sessionFindings(visited.probed) : [])];
  }
}

function formFindings({ submits }: Probed): Finding[] {
  if (submits) return [];
  const message = 'This page is in a frame that forbids forms: the pay button would do nothing.';
  return [
    { code: 'forms_forbidden', message, fix: 'Put allow-forms among the permissions of the frame around the page.' },
  ];
}

const NEW_SESSION = 'Make a session with POST /v1/sessions, and put its client_secret into the session attribute.';

function sessionFindings(probed: Probed): Finding[] {
  switch (probed.session) {
    case 'unknown':
      return [
        { code: 'session_unknown', message: 'There is no such session at this checkout server.', fix: NEW_SESSION },
      ];
    case 'wrong_secret':
      return [
        {
          code: 'secret_wrong',
          message: 'The session is known, but this is not its client secret.',
          fix: 'Put the whole client_secret that POST /v1/sessions answers into the session attribute.',
        },
      ];
    case 'unreachable':
      return [
        {
          code: 'session_unreachable',
          message:
            'The checkout server answers, but not about this session: it cannot reach its store, or is too slow.',
          fix: 'See what GET /readyz of the checkout server says.',
        },
      ];
    case 'known':
      return [...probed.refused.map(refusedBy), ...endedFindings(probed.status)];
  }
}

function refusedBy(origin: string): Finding {
  return {
    code: 'origin_not_allowed',
    message: `${origin} may not hold the form: it is not among the account’s allowed origins.`,
    fix: `Add to the account: "allowed_origins": [${JSON.stringify(origin)}, …]`,
  };
}

function endedFindings(status: string): Finding[] {
  if (!['approved', 'failed', 'expired'].includes(status)) return [];
  const message = `The session is ${status}: it takes no payment, and the form says so.`;
  return [{ code: `session_${status}`, message, fix: NEW_SESSION }];
}

/** The page's directive for frames, with the origin added. */
function frameLine(policy: string, origin: string): string {
  const directives = policy.split(';').map((directive) => directive.trim().split(/\s+/));
  const now = ['frame-src', 'child-src', 'default-src'].map((name) => directives.find(([first]) => first === name));
  const sources = now.find((directive) => directive)?.slice(1) ?? [];
  return ['frame-src', ...sources.filter((source) => source !== "'none'"), origin].join(' ');
}

const FRAME_MS = 6000;
const ANSWER_MS = 12_000;

/** The report of the hidden frame, or why there is none. */
type Visit = { kind: 'probed'; probed: Probed } | { kind: 'forbidden'; policy: string } | { kind: 'silent' };

/**
 * Checks a session in a hidden frame of the checkout's origin, the only origin that gets the secret. Every wait has a limit, and the
 * frame is removed afterwards.
 */
async function visit(page: Window, origin: string, session: string): Promise<Visit> {
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
          if (data.type === PROBE_READY) {
            page.clearTimeout(limit);
            limit = page.setTimeout(() => done({ kind: 'silent' }), ANSWER_MS);
            frame.contentWindow?.postMessage({ channel, type: PROBE, session }, origin);
          } else if (data.type === PROBED && isProbed(data.probed)) done({ kind: 'probed', probed: data.probed });
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
