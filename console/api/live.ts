import type { Alive, Change, LiveChanges } from '../../shared/api/console.ts';
import { isOfRelay, readJson } from './send.ts';

/** A stream that does not open, or gives no sign, for so long is given up: one comes at once, and then every fifteen seconds. */
const OPENING_MS = 10_000;
const SILENCE_MS = 40_000;
/** Between two polls, and after one that was refused. */
const POLLING_MS = 5_000;
const REFUSED_MS = 15_000;
/** A stream is tried again after so long. */
const AGAIN_MS = 60_000;

/** The parts of the browser that live changes come by. */
type LiveParts = {
  EventSource: typeof EventSource;
  fetch: typeof fetch;
};

/** Called for each change; `onGap` is called where some may have been missed. */
type LiveListener = { signal: AbortSignal; onChange: (change: Change) => void; onGap: () => void };

/**
 * Listens for each change of an account as it comes, until `signal` ends it: by server-sent events, or, where a proxy holds those
 * back, by asking every five seconds until a stream comes through.
 */
export function listenForChanges(parts: LiveParts, path: string, listener: LiveListener): void {
  const { signal, onChange, onGap } = listener;
  let polling: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  // The first stream begins with what changed since the page was read.
  let isFirst = true;
  const after = (ms: number, next: () => void): void => {
    clearTimeout(timer);
    timer = setTimeout(next, ms);
  };
  const giveUp = (): void => {
    isFirst = false;
    source.close();
    if (!polling) {
      polling = new AbortController();
      void pollChanges(parts, path, { ...listener, signal: AbortSignal.any([signal, polling.signal]) });
    }
    after(AGAIN_MS, listen);
  };
  const listen = (): void => {
    let isNew = true;
    source = new parts.EventSource(path);
    after(OPENING_MS, giveUp);
    source.addEventListener('alive', ({ data }: MessageEvent<string>) => {
      after(SILENCE_MS, giveUp);
      polling?.abort();
      polling = undefined;
      // What changed while polls had failed, or while the browser connected again, was not told.
      if (isNew && !(isFirst && readJson<Alive>(data)?.missed === undefined)) onGap();
      isNew = false;
      isFirst = false;
    });
    source.addEventListener('change', ({ data }: MessageEvent<string>) => {
      const change = readJson<Change>(data);
      if (change) onChange(change);
    });
    source.addEventListener('error', () => {
      isNew = true;
      isFirst = false;
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

async function pollChanges(
  { fetch }: LiveParts,
  path: string,
  { signal, onChange, onGap }: LiveListener,
): Promise<void> {
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
