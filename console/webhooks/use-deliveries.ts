import { useEffect } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import type { Reading } from '../parts/use-answer.ts';

const MIN_MS = 3000;
const MAX_MS = 60_000;

/** Reads again soon after webhooks that wait are due: nothing tells of deliveries. */
export function useDeliveries(events: readonly EventAnswer[], { again, isReading }: Reading<unknown>): void {
  const due = Math.min(
    ...events.map(({ delivery }) =>
      delivery.status === 'pending' ? Date.parse(delivery.next_try_at) : Number.POSITIVE_INFINITY,
    ),
  );
  useEffect(() => {
    if (isReading || due === Number.POSITIVE_INFINITY) return;
    const timer = setTimeout(() => void again(), Math.min(Math.max(due - Date.now() + 1000, MIN_MS), MAX_MS));
    return () => clearTimeout(timer);
  }, [due, isReading, again]);
}
