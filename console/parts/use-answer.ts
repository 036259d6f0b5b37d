import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';

/**
 * Something that is read from the relay. `answer` stays while it is read again, and while that fails; that to another key only
 * for a moment, so that nothing flashes.
 */
export type Reading<T> = { answer: T | undefined; error: unknown; isReading: boolean; again: () => Promise<void> };

/**
 * When something is read again: so soon after a change, but so long after the last time at the least, and by itself after so
 * long. The answer to another key stays for `staleMs` while this one's is read.
 */
type Pace = { soonMs: number; pauseMs: number; quietMs: number; staleMs: number };

const USUAL: Pace = { soonMs: 250, pauseMs: 0, quietMs: Number.POSITIVE_INFINITY, staleMs: 400 };

/**
 * Reads something when the component appears, when `key` changes, and when a change concerns it, at a `pace` of its own. An answer
 * that was asked for before another one is left alone.
 */
export function useAnswer<T>(
  key: string,
  read: () => Promise<T>,
  concerns: (change: Change) => boolean = () => false,
  pace: Partial<Pace> = {},
): Reading<T> {
  const { onChange } = useApp();
  const [state, setState] = useState<{ key: string; answer: T | undefined; error: unknown; isReading: boolean }>({
    ...{ key, answer: undefined, error: undefined, isReading: true },
  });
  const latest = useRef(0);
  const current = useRef({ read, concerns, pace });
  current.current = { read, concerns, pace };
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
    const { soonMs, pauseMs, quietMs, staleMs } = { ...USUAL, ...current.current.pace };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let [readAt, dueAt] = [0, Number.POSITIVE_INFINITY];
    const later = (ms: number): void => {
      if (performance.now() + ms >= dueAt) return;
      clearTimeout(timer);
      dueAt = performance.now() + ms;
      timer = setTimeout(readNow, ms);
    };
    const readNow = (): void => {
      [readAt, dueAt] = [performance.now(), Number.POSITIVE_INFINITY];
      void again();
      later(quietMs);
    };
    readNow();
    const stale = setTimeout(
      () => setState((before) => (before.key === key ? before : { ...before, answer: undefined, error: undefined })),
      staleMs,
    );
    const forget = onChange((change) => {
      if (change && !current.current.concerns(change)) return;
      later(Math.max(soonMs, readAt + pauseMs - performance.now()));
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
