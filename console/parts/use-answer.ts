import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Change } from '../../shared/api/console.ts';
import { useApp } from '../app/app.tsx';

/**
 * Data that is read from the relay. `answer` stays while it is read again and while that fails. The answer for an earlier key stays
 * only for a moment, to prevent flicker.
 */
export type Reading<T> = { answer: T | undefined; error: unknown; isReading: boolean; again: () => Promise<void> };

/**
 * When data is read again: `soonMs` after a change but at least `pauseMs` after the last read, and `quietMs` after the last read
 * without a change. If changes were missed, it is read at once. The answer for an earlier key stays for `staleMs`.
 */
type Pace = { soonMs: number; pauseMs: number; quietMs: number; staleMs: number };

const DEFAULT_PACE: Pace = { soonMs: 250, pauseMs: 0, quietMs: Number.POSITIVE_INFINITY, staleMs: 400 };

/**
 * Reads data when the component is mounted, when `key` changes, and when a change concerns it, at its own `pace`. An answer is
 * dropped if the answer of a later request is already shown.
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
  const shown = useRef(0);
  const readAt = useRef(0);
  const current = useRef({ read, concerns, pace });
  current.current = { read, concerns, pace };
  const again = useCallback(async () => {
    latest.current++;
    readAt.current = performance.now();
    const asked = latest.current;
    const isNewest = (): boolean => {
      if (asked <= shown.current) return false;
      shown.current = asked;
      return true;
    };
    setState((before) => ({ ...before, isReading: true }));
    try {
      const answer = await current.current.read();
      if (isNewest()) setState({ key, answer, error: undefined, isReading: asked < latest.current });
    } catch (error) {
      if (isNewest()) {
        setState((before) => ({
          ...{ key, error, isReading: asked < latest.current },
          answer: before.key === key ? before.answer : undefined,
        }));
      }
    }
  }, [key]);
  useEffect(() => {
    const { soonMs, pauseMs, quietMs, staleMs } = { ...DEFAULT_PACE, ...current.current.pace };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = Number.POSITIVE_INFINITY;
    const later = (ms: number): void => {
      if (performance.now() + ms >= dueAt) return;
      clearTimeout(timer);
      dueAt = performance.now() + ms;
      timer = setTimeout(readNow, ms);
    };
    const readNow = (): void => {
      dueAt = Number.POSITIVE_INFINITY;
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
      const soon = change ? soonMs : Math.min(soonMs, DEFAULT_PACE.soonMs);
      later(Math.max(soon, readAt.current + pauseMs - performance.now()));
    });
    return () => {
      shown.current = latest.current;
      clearTimeout(stale);
      clearTimeout(timer);
      forget();
    };
  }, [again, key, onChange]);
  return { ...state, again };
}
