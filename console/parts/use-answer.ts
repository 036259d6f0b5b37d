import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';

/**
 * Something that is read from the relay. `answer` stays while it is read again, and while that fails; that to another key only
 * for a moment, so that nothing flashes.
 */
export type Reading<T> = { answer: T | undefined; error: unknown; isReading: boolean; again: () => Promise<void> };

const GATHER_MS = 250;
/** How long the answer to another key stays while this one's is read. */
const STALE_MS = 400;

/**
 * Reads something when the component appears, when `key` changes, and when a change concerns it. An answer that was asked for
 * before another one is left alone.
 */
export function useAnswer<T>(key: string, read: () => Promise<T>, concerns: (change: Change) => boolean): Reading<T> {
  const { onChange } = useApp();
  const [state, setState] = useState<{ key: string; answer: T | undefined; error: unknown; isReading: boolean }>({
    ...{ key, answer: undefined, error: undefined, isReading: true },
  });
  const latest = useRef(0);
  const current = useRef({ read, concerns });
  current.current = { read, concerns };
  const again = useCallback(async () => {
    latest.current++;
    const asked = latest.current;
    setState((before) => ({ ...before, isReading: true }));
    try {
      const answer = await current.current.read();
      if (asked === latest.current) setState({ key, answer, error: undefined, isReading: false });
    } catch (error) {
      if (asked === latest.current) {
        setState((before) => ({
          ...{ key, error, isReading: false },
          answer: before.key === key ? before.answer : undefined,
        }));
      }
    }
  }, [key]);
  useEffect(() => {
    void again();
    const stale = setTimeout(
      () => setState((before) => (before.key === key ? before : { ...before, answer: undefined, error: undefined })),
      STALE_MS,
    );
    let timer: ReturnType<typeof setTimeout> | undefined;
    const forget = onChange((change) => {
      if (change && !current.current.concerns(change)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        void again();
      }, GATHER_MS);
    });
    return () => {
      latest.current++;
      clearTimeout(stale);
      clearTimeout(timer);
      forget();
    };
  }, [again, key, onChange]);
  return { ...state, again };
}
