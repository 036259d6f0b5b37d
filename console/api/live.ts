import type { Alive, Change, LiveChanges } from '../../shared/api/console.ts';
import { isOfRelay, readJson } from './send.ts';

/** Timeout of a stream without a heartbeat. The relay sends one at the start, and then every fifteen seconds. */
const OPENING_MS = 10_000;
const SILENCE_MS = 40_000;
/** The pause between two polls, and after a refused one. */
const POLLING_MS = 5_000;
const REFUSED_MS = 15_000;
/** The pause before the next try to open a stream. */
const AGAIN_MS = 60_000;

/** The parts of the browser that receive live changes. */
type LiveParts = {
  EventSource: typeof EventSource;
  fetch: typeof fetch;
};

/** `onChange` is called for each change, `onGap` when changes may have been missed. */
type LiveListener = { signal: AbortSignal; onChange: (change: Change) => void; onGap: () => void };

/**
 * Listens for the changes of an account until `signal` aborts: by server-sent events, or by polling every five seconds while a
 * proxy holds the stream back.
 */
export function listenForChanges(parts: LiveParts, path: string, listener: LiveListener): void {
  const { signal, onChange, onGap } = listener;
  let polling: AbortController | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource;
  // The first stream begins with the changes since the page was read.
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
      // Changes may have been missed while polls failed or the browser reconnected.
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
