import { useRef, useState } from 'preact/hooks';
import type { EventType } from '../../shared/api/webhook.ts';
import { newKey } from '../api/api.ts';
import { Refused } from '../api/send.ts';
import { useApp } from '../app/app.tsx';
import { counted, fill } from '../locales/words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Waiting } from '../parts/state.tsx';
import { harmless } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

/** The number of webhooks in one request, and on one page of the count. */
const PAGE = '100';

type Which = { status: 'failed' | 'acknowledged' | 'kept'; type: EventType | undefined };

/** The progress: the number of webhooks sent, and the start of the next request. */
type Progress = {
  step: 'asking' | 'sending' | 'unanswered' | 'refused' | 'done';
  count: number;
  page: number;
  after: string | undefined;
};

/** Asks whether to send all matching webhooks again, shows their number, and sends them page by page. */
export function RedeliverAll({ status, type, onClose }: Which & { onClose: () => void }) {
  const { api, words, locale } = useApp();
  const { webhooks: names } = words;
  const [key] = useState(newKey);
  const [progress, setProgress] = useState<Progress>({ step: 'asking', count: 0, page: 0, after: undefined });
  const [fault, setFault] = useState<string>();
  const isSending = useRef(false);
  const which = { status, ...(type === undefined ? {} : { type }) };
  const matching = useAnswer(key, () => api.events(new URLSearchParams({ ...which, limit: PAGE })));
  const { step, count } = progress;
  const send = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    setFault(undefined);
    let now: Progress = { ...progress, step: 'sending' };
    try {
      while (now.step === 'sending') {
        setProgress(now);
        // Each page has its own idempotency key for all its tries.
        const { redelivered, next } = await api.redeliverMany(
          { ...which, ...(now.after === undefined ? {} : { after: now.after }) },
          `${key}-${now.page}`,
        );
        now = {
          ...{ count: now.count + redelivered, page: now.page + 1, after: next },
          step: next === undefined ? 'done' : 'sending',
        };
      }
      setProgress(now);
    } catch (error) {
      setProgress({ ...now, step: error instanceof Refused ? 'refused' : 'unanswered' });
      setFault(error instanceof Refused ? error.message : names.unanswered);
    }
    isSending.current = false;
  };
  // The start and the key of the next page would be lost with the dialog.
  const isOpen = step === 'sending' || step === 'unanswered';
  const found = matching.answer;
  return (
    <Dialog title={names.redeliver_all} isBusy={isOpen} onClose={onClose}>
      <div class="fields">
        {found === undefined ? (
          <Waiting reading={matching} />
        ) : (
          <p class="sentence">
            {counted(locale, type ? names.redeliver_typed : names.redeliver_sentence, found.events.length, {
              which: names.which[status],
              type: type ?? '',
              ...(found.next !== undefined && { count: fill(names.more_than, { count: PAGE }) }),
            })}
          </p>
        )}
        {fault !== undefined && (
          <p class="notice bad" role="alert">
            {harmless(fault)}
          </p>
        )}
        {(isOpen || step === 'done') && (
          <p class={`notice ${step === 'done' ? 'good' : 'busy'}`} role="status">
            {step === 'done' ? counted(locale, names.redelivered, count) : fill(names.so_far, { count })}
          </p>
        )}
        <div class="buttons">
          {!isOpen && (
            <button type="button" class={step === 'done' ? 'primary' : undefined} onClick={onClose}>
              {step === 'done' ? words.close : words.back}
            </button>
          )}
          {step !== 'done' && found !== undefined && found.events.length > 0 && (
            <button type="button" class="primary" aria-disabled={step === 'sending'} onClick={() => void send()}>
              {step === 'unanswered' ? names.go_on : words.order.redeliver}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
