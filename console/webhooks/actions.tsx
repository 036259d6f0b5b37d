import type { EventAnswer } from '../../shared/api/event.ts';
import { useApp } from '../app/app.ts';
import { useAction } from '../intent/use-action.ts';
import { Fault } from '../parts/state.tsx';

type Props = { event: EventAnswer; isPlain: boolean; onChanged: () => Promise<void> };

/** Sends a webhook again, or marks one that was given up as dealt with. */
export function Actions({ event: { id, delivery }, isPlain, onChanged }: Props) {
  const { api, words, may } = useApp();
  const redeliver = useAction((key) => api.redeliver(id, key), onChanged);
  const acknowledge = useAction((key) => api.acknowledge(id, key), onChanged);
  const fault = redeliver.fault ?? acknowledge.fault;
  if (!may('events') || delivery.status === 'pending') return null;
  const button = (text: string, { isSending, run }: typeof redeliver) => (
    <button type="button" class={isPlain ? 'plain over' : undefined} aria-disabled={isSending} onClick={run}>
      {text}
    </button>
  );
  return (
    <div class="actions">
      {button(words.order.redeliver, redeliver)}
      {delivery.status === 'failed' && button(words.webhooks.acknowledge, acknowledge)}
      <Fault text={fault} />
    </div>
  );
}
