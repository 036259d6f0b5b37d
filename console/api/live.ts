import type { Change } from '../../shared/api/console.ts';
import { isChange, isChanges } from './answers.ts';

const OPENING_MS = 10_000;
const POLLING_MS = 5_000;

/** The parts of the browser that live changes come by. */
export type LiveParts = {
  EventSource: typeof EventSource;
  fetch: typeof fetch;
};

/**
 * Hears of each change of an account as it comes, until `signal` ends it: by server-sent events, or, where a proxy holds those
 * back, by asking every five seconds. `onGap` is called where changes may have been missed.
 */
export function hearChanges(
  parts: LiveParts,
  path: string,
  signal: AbortSignal,
  onChange: (change: Change) => void,
  onGap: () => void,
): void {
  const source = new parts.EventSource(path);
  const poll = (): void => {
    source.close();
    clearTimeout(timer);
    if (!signal.aborted) void keepAsking(parts, path, signal, onChange, onGap);
  };
  const timer = setTimeout(poll, OPENING_MS);
  source.addEventListener('open', () => {
    clearTimeout(timer);
    // What changed before it was open, or while the browser connected again, was not told.
    onGap();
  });
  source.addEventListener('change', ({ data }: MessageEvent<unknown>) => {
    const change = typeof data === 'string' ? parsed(data) : undefined;
    if (isChange(change)) onChange(change);
  });
  source.addEventListener('error', () => {
    if (source.readyState === parts.EventSource.CLOSED) poll();
  });
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    source.close();
  });
}

async function keepAsking(
  { fetch }: LiveParts,
  path: string,
  signal: AbortSignal,
  onChange: (change: Change) => void,
  onGap: () => void,
): Promise<void> {
  let since: string | undefined;
  while (!signal.aborted) {
    const query = since === undefined ? '' : `?since=${encodeURIComponent(since)}`;
    const answer: unknown = await fetch(path + query, {
      headers: { Accept: 'application/json' },
      signal,
      cache: 'no-store',
    })
      .then((response) => (response.ok ? response.json() : undefined))
      .catch(() => undefined);
    if (signal.aborted) return;
    if (isChanges(answer)) {
      if (since !== undefined) answer.changes.forEach(onChange);
      else onGap();
      since = answer.next;
    }
    await new Promise((done) => setTimeout(done, POLLING_MS));
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
