import { createContext } from 'preact';
import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Attention, AttentionGroup, AttentionKind } from '../../shared/api/attention.ts';
import { useApp } from '../app/app.tsx';
import type { Reading } from '../parts/use-answer.ts';

/** The kinds of cases that wait for a person, and those that need nobody yet, each the most urgent first. */
export const forPerson = [
  'paid_twice',
  'order_unknown',
  'order_contradicted',
  'order_overdue',
  'operation_unknown',
  'difference',
  'webhook_failed',
] as const satisfies readonly AttentionKind[];
export const byItself = ['order_asked', 'operation_asked', 'order_pending'] as const satisfies readonly AttentionKind[];

/** What waits in the account, which the navigation and the screen show together. */
export const AttentionContext = createContext<Reading<Attention> | undefined>(undefined);

/** What waits in the account around a component. */
export function useAttention(): Reading<Attention> {
  const reading = useContext(AttentionContext);
  if (!reading) throw new Error('outside what waits');
  return reading;
}

/** So soon a change is looked at, so often where much changes, and so often where nothing is told. */
const SOON_MS = 500;
const PAUSE_MS = 5000;
const QUIET_MS = 60_000;

/** Reads what waits at once, a moment after each change, and once a minute: not everything that comes to wait is told. */
export function useReadAttention(): Reading<Attention> {
  const { api, onChange } = useApp();
  const [state, setState] = useState<Omit<Reading<Attention>, 'again'>>(unread);
  const again = useRef(async () => {});
  useEffect(() => {
    setState(unread);
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = Number.POSITIVE_INFINITY;
    let readAt = 0;
    const later = (ms: number): void => {
      if (isOver || performance.now() + ms >= dueAt) return;
      clearTimeout(timer);
      dueAt = performance.now() + ms;
      timer = setTimeout(() => void read(), ms);
    };
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      dueAt = Number.POSITIVE_INFINITY;
      readAt = performance.now();
      const found = await api.attention().then(
        (answer) => ({ answer, error: undefined }),
        (error: unknown) => ({ error }),
      );
      if (isOver) return;
      setState((before) => ({ ...before, ...found, isReading: false }));
      later(QUIET_MS);
    };
    again.current = read;
    void read();
    const forget = onChange(() => later(Math.max(SOON_MS, readAt + PAUSE_MS - performance.now())));
    return () => {
      isOver = true;
      clearTimeout(timer);
      forget();
    };
  }, [api, onChange]);
  return { ...state, again: () => again.current() };
}

const unread = { answer: undefined, error: undefined, isReading: true };

/** The groups of these kinds that have cases. */
export function groupsOf<Kind extends AttentionKind>(
  { groups }: Attention,
  kinds: readonly Kind[],
): (AttentionGroup & { kind: Kind })[] {
  return kinds.flatMap((kind) =>
    groups.flatMap((group) => (group.kind === kind && group.count > 0 ? [{ ...group, kind }] : [])),
  );
}

/** How many cases there are, as it is shown: `4`, or `100+`. */
export function countText(groups: readonly AttentionGroup[]): string {
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  return `${count}${groups.some(({ more }) => more) ? '+' : ''}`;
}
