import { useId, useState } from 'preact/hooks';
import type { ApprovalAnswer } from '../../shared/api/approval.ts';
import type { Verdict } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { Dialog } from '../parts/dialog.tsx';
import { Evidence, isolated } from '../parts/text.tsx';
import { endingOf } from './action.ts';
import { AmountRules, useAmountRules } from './amount-rules.tsx';
import { RequestText } from './approval-text.tsx';
import { IntentForm, Note } from './intent-form.tsx';
import { useIntent } from './use-intent.ts';

/** The prefix of the key under which an unanswered decision is kept; the request and the verdict follow. */
export const approvalSubject = 'approval';

/** Approves, declines or withdraws a request. An approval sends the request, and the dialog shows the outcome. */
export function DecideDialog(props: { approval: ApprovalAnswer; verdict: Verdict; onClose: () => void }) {
  const { approval, verdict, onClose } = props;
  const { api, words } = useApp();
  const { approvals: names } = words;
  const { id: approvalId, operation, items, request } = approval;
  const { intent, earlier, submit } = useIntent<{ note?: string }>([approvalSubject, approvalId, verdict]);
  const [note, setNote] = useState(earlier?.note ?? '');
  const id = useId();
  const { phase } = intent;
  const isWriting = phase.step === 'writing';
  const [only, ...others] = items;
  const isOne = verdict === 'approve' && others.length === 0;
  const rules = useAmountRules(operation, isOne ? only?.amount : undefined, only?.currency ?? '', isWriting);
  const send = () => {
    if (isWriting && rules.fault !== undefined) return undefined;
    const said = note.trim();
    return submit(said === '' ? {} : { note: said }, async (body, key) => {
      const moved = await api.decide(approvalId, verdict, body, key);
      return verdict === 'approve' ? endingOf(api, moved) : { kind: 'operation', outcome: 'succeeded', id: undefined };
    });
  };
  const sent = operation === 'payout' ? words.payouts.done : words.dialog.done[operation];
  const status = phase.step === 'done' && operation === 'payout' ? phase.message : undefined;
  return (
    <Dialog title={names.titles[verdict]} onClose={onClose}>
      <IntentForm
        phase={phase}
        done={
          verdict !== 'approve'
            ? names.ended[verdict]
            : status === undefined
              ? sent
              : fill(words.payouts.taken, { status: isolated(status) })
        }
        action={names.verdicts[verdict]}
        unknown={operation === 'payout' ? words.payouts.unknown : words.dialog.unknown}
        onSend={send}
      >
        <div class="sentence">
          <RequestText approval={approval} />
        </div>
        {operation === 'payout' && request && verdict === 'approve' && (
          <Evidence title={words.why_unknown.asked} text={JSON.stringify(request, undefined, 2)} isOpen />
        )}
        {verdict === 'decline' && (
          <Note id={id} value={note} isLocked={!isWriting} isWrong={false} hint={names.note_hint} onInput={setNote} />
        )}
        <AmountRules rules={{ ...rules, isHeld: false }} />
      </IntentForm>
    </Dialog>
  );
}
