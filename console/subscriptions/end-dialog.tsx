import { useContext } from 'preact/hooks';
import type { SubscriptionAnswer } from '../../shared/api/subscription.ts';
import type { Contract } from '../api/api.ts';
import { Link, useApp } from '../app/app.tsx';
import { endingOf } from '../intent/action.ts';
import { IntentForm } from '../intent/intent-form.tsx';
import { useIntent } from '../intent/use-intent.ts';
import { fill } from '../locales/words.ts';
import { DialogContext, ReadDialog } from '../parts/dialog.tsx';
import { isolated, Sentence } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { contractText, termsText } from './subscription-table.tsx';

/** The prefix of the key under which an unanswered request is kept. */
export const endSubject = (recurringId: string): readonly string[] => ['subscription_cancel', recurringId];

type Props = { recurringId: string; onEnded: () => void; onClose: () => void };

/** Ends a contract. It reads the contract when it opens, because another person may have ended it. */
export function EndDialog({ recurringId, onEnded, onClose }: Props) {
  const { api, words } = useApp();
  const reading = useAnswer(
    `${api.livePath} end ${recurringId}`,
    async () => {
      const { subscriptions } = await api.subscriptions(new URLSearchParams({ recurring_id: recurringId }));
      return subscriptions.find(({ recurring_id }) => recurring_id === recurringId);
    },
    () => true,
  );
  const { answer } = reading;
  return (
    <ReadDialog
      title={fill(words.subscriptions.end_title, { order: isolated(answer?.order_no ?? recurringId) })}
      reading={reading}
      answer={answer}
      onClose={onClose}
    >
      {(contract) => <EndForm contract={contract} onEnded={onEnded} />}
    </ReadDialog>
  );
}

function EndForm({ contract, onEnded }: { contract: SubscriptionAnswer; onEnded: () => void }) {
  const { api, words, locale } = useApp();
  const { onClose } = useContext(DialogContext);
  const { subscriptions: names } = words;
  const { recurring_id, contract_name, status, order_no, end } = contract;
  const { intent, submit } = useIntent<Contract>(endSubject(recurring_id));
  const { phase } = intent;
  if (phase.step === 'writing' && status !== 'active') {
    return (
      <>
        <p class="notice open" role="status">
          {status === 'ended' ? names.over : names.under_way}
        </p>
        <div class="buttons">
          {end && (
            <Link to={{ page: 'operation', id: end.operation_id }} class="button">
              {words.dialog.see_operation}
            </Link>
          )}
          <button type="button" class="primary" onClick={onClose}>
            {words.close}
          </button>
        </div>
      </>
    );
  }
  return (
    <IntentForm
      phase={phase}
      done={names.ended}
      action={names.end}
      unknown={names.unknown}
      declined={names.declined}
      onSend={() =>
        submit({ recurring_id, ...(contract_name === undefined ? {} : { contract_name }) }, async (body, key) =>
          endingOf(api, await api.endSubscription(body, key)),
        ).then(onEnded)
      }
    >
      <p class="sentence">
        <Sentence text={fill(names.end_sentence, { contract: contractText(contract), order: isolated(order_no) })} />
      </p>
      <p class="hint">
        {termsText(words, locale, contract)}. {names.end_hint}
      </p>
    </IntentForm>
  );
}
