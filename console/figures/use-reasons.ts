import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../app/app.ts';

/** More than the most frequent would ask the relay too much. */
const MAX_READ = 6;

/**
 * What the gateway says beside its decline codes: figures have the codes alone, so that the newest order with each tells. Codes
 * whose words could not be read are missing. `filter` narrows the orders.
 */
export function useReasons(codes: readonly string[], filter: URLSearchParams): ReadonlyMap<string, string> {
  const { api } = useApp();
  const [known, setKnown] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = JSON.stringify([codes.slice(0, MAX_READ), String(filter)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is asked says it all
  useEffect(() => {
    let isOver = false;
    const read = async (): Promise<void> => {
      for (const code of codes.slice(0, MAX_READ)) {
        if (known.has(code)) continue;
        const query = new URLSearchParams(filter);
        query.set('decline_code', code);
        query.set('limit', '1');
        const { orders } = await api.orders(query);
        if (isOver) return;
        const [first] = orders;
        const order = first && (await api.order(first.order_no));
        if (isOver) return;
        const attempts = order?.sessions.flatMap((session) => session.attempts) ?? [];
        const message = attempts.find(({ result }) => result?.code === code)?.result?.message;
        setKnown((before) => new Map(before).set(code, message ?? ''));
      }
    };
    read().catch(() => undefined);
    return () => {
      isOver = true;
    };
  }, [api, asked]);
  return known;
}
