import type { Change, LiveChanges } from '../../shared/api/console.ts';
import { isOfRelay, readJson } from './send.ts';

/** The first sign of a stream comes at once, and then one every fifteen seconds. */
const OPENING_MS = 10_000;
const SILENCE_MS = 40_000;
const POLLING_MS = 5_000;
const REFUSED_MS = 15_000;
/** A stream is tried again after so long. */
const AGAIN_MS = 60_000;
const LOOKING_MS = 15_000;

/** The parts of the browser that live changes come by. */
type LiveParts = {
  EventSource: typeof EventSource;
  fetch: typeof fetch;
};

/** Called for each change; `onGap` is called where some may have been missed. */
type Hearing = { signal: AbortSignal; onChange: (change: Change) => void; onGap: () => void };

/**
 * Hears of each change of an account as it comes, until `signal` ends it: by server-sent events, or, where a proxy holds those
 * back, by asking every five seconds until a stream comes through.
 */
export function hearChanges(parts: LiveParts, path: string, hearing: Hearing): void {
  const { signal, onChange, onGap } = hearing;
  let polling: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  const after = (ms: number, next: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  const giveUp = (): void => {
    source.close();
    if (!polling) {
      polling = new AbortController();
      void keepAsking(parts, path, { ...hearing, signal: AbortSignal.any([signal, polling.signal]) });
    }
    after(AGAIN_MS, listen);
  };
  const listen = (): void => {
    let isNew = true;
    source = new parts.EventSource(path);
    after(OPENING_MS, giveUp);
    source.addEventListener('alive', () => {
      after(SILENCE_MS, giveUp);
      polling?.abort();
      polling = undefined;
      // What changed before it was open, or while the browser connected again, was not told.
      if (isNew) onGap();
      isNew = false;
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const change = readJson<Change>(data);
      if (change) onChange(change);
    });
    source.addEventListener('error', () => {
      isNew = true;
      if (source.readyState === parts.EventSource.CLOSED) giveUp();
      else after(OPENING_MS, giveUp);
    });
  };
  listen();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source.close();
  });
}

async function keepAsking({ fetch }: LiveParts, path: string, { signal, onChange, onGap }: Hearing): Promise<void> {
  let since: string | undefined;
  while (!signal.aborted) {
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
    const answer: LiveChanges | undefined = await fetch(path + query, {
      headers: { Accept: 'application/json' },
      signal,
      cache: 'no-store',
    })
      .then((response) => (response.ok && isOfRelay(response) ? response.json() : undefined))
      .catch(() => undefined);
    if (signal.aborted) return;
    if (answer) {
      if (since !== undefined) answer.changes.forEach(onChange);
      else onGap();
      since = answer.next;
    }
    await new Promise((done) => setTimeout(done, answer ? POLLING_MS : REFUSED_MS));
  }
}

/**
 * Without live changes: everything is read again every fifteen seconds while the page is visible, and as soon as it becomes
 * visible again.
 */
export function lookRegularly({ signal, onGap }: Pick<Hearing, 'signal' | 'onGap'>): void {
  const look = (): void => {
    if (document.visibilityState === 'visible') onGap();
  };
  const timer = setInterval(look, LOOKING_MS);
  document.addEventListener('visibilitychange', look, { signal });
  window.addEventListener('focus', look, { signal });
  signal.addEventListener('abort', () => clearInterval(timer));
}
