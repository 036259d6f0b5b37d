import { useEffect, useState } from 'preact/hooks';
import type { ApprovalAnswer } from '../../shared/api/approval.ts';
import type { Verdict } from '../api/api.ts';
import { useApp } from '../app/app.tsx';
import { fill } from '../locales/words.ts';
import { Failure } from '../parts/state.tsx';
import { clock, isolated } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { approvalSubject, DecideDialog } from './approval-dialog.tsx';
import { nameOf, RequestText } from './approval-text.tsx';
import { useKeptIntents } from './use-intent.ts';

/**
 * The requests to show, and the callback after a decision. `asked` counts the requests that this page itself may have made: the
 * list is read again when it grows.
 */
export type ApprovalsProps = {
  isShown: (approval: ApprovalAnswer) => boolean;
  onChanged: () => Promise<void>;
  asked?: number;
};

/** Requests cause no webhook: they are polled, and read again when the page gets the focus. */
const PACE = { quietMs: 15_000 };

type Open = { id: string; verdict: Verdict };

/** Requests that wait for another person, and those declined within a day, with the actions that the person may take. */
export function ApprovalList({ isShown, onChanged, asked = 0 }: ApprovalsProps) {
  const { api, words } = useApp();
  const reading = useAnswer(`${api.livePath} approvals`, api.approvals, () => true, PACE);
  const { again } = reading;
  const kept = useKeptIntents();
  // An unanswered decision of this tab opens first.
  const [open, setOpen] = useState(() => kept.all().flatMap(({ subject }) => openOf(subject))[0]);
  useEffect(() => {
    const read = (): void => void again();
    window.addEventListener('focus', read);
    return () => window.removeEventListener('focus', read);
  }, [again]);
  useEffect(() => {
    if (asked > 0) void again();
  }, [again, asked]);
  const own = (reading.answer ?? []).filter(isShown);
  const shown = own.filter(({ status }) => status === 'waiting' || status === 'declined');
  const decided = own.find(({ id }) => id === open?.id);
  return (
    <>
      <Failure reading={reading} />
      {shown.length > 0 && (
        <section class="approvals" aria-labelledby="approvals">
          <h2 id="approvals">{words.approvals.title}</h2>
          <ul>
            {shown.map((approval) => (
              <Request
                key={approval.id}
                approval={approval}
                onOpen={(verdict) => setOpen({ id: approval.id, verdict })}
              />
            ))}
          </ul>
        </section>
      )}
      {open && decided && (
        <DecideDialog
          approval={decided}
          verdict={open.verdict}
          onClose={() => {
            setOpen(undefined);
            void again();
            void onChanged();
          }}
        />
      )}
    </>
  );
}

function openOf([name, id, verdict]: readonly string[]): Open[] {
  const known = (['approve', 'decline', 'withdraw'] as const).find((one) => one === verdict);
  return name === approvalSubject && id !== undefined && known ? [{ id, verdict: known }] : [];
}

function Request({ approval, onOpen }: { approval: ApprovalAnswer; onOpen: (verdict: Verdict) => void }) {
  const { words, locale } = useApp();
  const { approvals: names } = words;
  const { by, created_at, expires_at, decided, may_decide, may_withdraw } = approval;
  const verdicts: Verdict[] = may_decide ? ['approve', 'decline'] : may_withdraw ? ['withdraw'] : [];
  return (
    <li>
      <RequestText approval={approval} />
      <p class="quiet-text">
        {fill(names.asked, { by: nameOf(by), time: clock(locale, created_at) })}
        {' · '}
        {decided
          ? fill(names.declined, { by: nameOf(decided.by), note: isolated(decided.note ?? words.nothing) })
          : fill(names.until, { time: clock(locale, expires_at) })}
      </p>
      {verdicts.length > 0 && (
        <div class="actions">
          {verdicts.map((verdict) => (
            <button
              key={verdict}
              type="button"
              class={verdict === 'approve' ? 'primary' : undefined}
              onClick={() => onOpen(verdict)}
            >
              {names.verdicts[verdict]}
            </button>
          ))}
        </div>
      )}
    </li>
  );
}
