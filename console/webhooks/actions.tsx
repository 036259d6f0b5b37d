import { useRef, useState } from 'preact/hooks';
import type { EventAnswer } from '../../shared/api/event.ts';
import { newKey } from '../api/api.ts';
import { Unanswered } from '../api/errors.ts';
import { useApp } from '../app/app.ts';
import { harmless } from '../parts/harmless.ts';

/** Sends a webhook again, or marks one that was given up as dealt with. */
export function Actions({
  event,
  isPlain,
  onChanged,
}: {
  event: EventAnswer;
  isPlain: boolean;
  onChanged: () => Promise<void>;
}) {
  const { api, words, may } = useApp();
  const [isSending, setSending] = useState(false);
  const [fault, setFault] = useState<string>();
  const keys = useRef(new Map<object, string>());
  const { status } = event.delivery;
  if (!may('events') || status === 'pending') return null;
  const act = async (action: (id: string, key: string) => Promise<unknown>): Promise<void> => {
    if (isSending) return;
    const key = keys.current.get(action) ?? newKey();
    keys.current.set(action, key);
    setSending(true);
    setFault(undefined);
    try {
      await action(event.id, key);
      keys.current.delete(action);
    } catch (error) {
      // Without an answer it may have been done: only the same key asks for it once.
      if (!(error instanceof Unanswered)) keys.current.delete(action);
      setFault(
        error instanceof Unanswered ? words.no_connection : error instanceof Error ? error.message : words.not_loaded,
      );
    }
    await onChanged();
    setSending(false);
  };
  const button = (text: string, action: (id: string, key: string) => Promise<unknown>) => (
    <button
      type="button"
      class={isPlain ? 'plain over' : undefined}
      aria-disabled={isSending}
      onClick={() => void act(action)}
    >
      {text}
    </button>
  );
  return (
    <div class="actions">
      {button(words.order.redeliver, api.redeliver)}
      {status === 'failed' && button(words.webhooks.acknowledge, api.acknowledge)}
      {fault !== undefined && (
        <p class="fault" role="alert">
          {harmless(fault)}
        </p>
      )}
    </div>
  );
}
