import { useRef } from 'preact/hooks';
import type { Attention } from '../../shared/api/attention.ts';
import { useApp } from '../app/app.tsx';
import { counted, fill } from '../locales/words.ts';
import { Failure, Waiting } from '../parts/state.tsx';
import { useRowKeysIn } from '../parts/table.tsx';
import { Time } from '../parts/text.tsx';
import { byItself, countText, forPerson, groupsOf, useAttention } from './attention.ts';
import { Group } from './group.tsx';

/** The open cases, most urgent first, each with advice. */
export function HomeScreen() {
  const { words } = useApp();
  const reading = useAttention();
  const rows = useRef<HTMLDivElement>(null);
  useRowKeysIn(rows);
  const { answer } = reading;
  if (answer === undefined) {
    return (
      <>
        <h1 class="heading">{words.pages.needs_you}</h1>
        <Waiting reading={reading} />
      </>
    );
  }
  const needed = groupsOf(answer, forPerson);
  const others = groupsOf(answer, byItself);
  return (
    <div ref={rows}>
      <div class="heading">
        <h1>{words.pages.needs_you}</h1>
        {needed.length > 0 && <Looked answer={answer} />}
      </div>
      <Failure reading={reading} />
      {needed.length === 0 && (
        <div class="well">
          <p>{words.home.all_well}</p>
          <Looked answer={answer} />
          <Reconciled answer={answer} />
        </div>
      )}
      {needed.map((group) => (
        <Group key={group.kind} group={group} />
      ))}
      {others.length > 0 && (
        <details class="others" open={needed.length === 0}>
          <summary>{fill(words.home.by_itself, { count: countText(others) })}</summary>
          {others.map((group) => (
            <Group key={group.kind} group={group} />
          ))}
        </details>
      )}
      {needed.length > 0 && <Reconciled answer={answer} />}
    </div>
  );
}

function Looked({ answer }: { answer: Attention }) {
  const { words } = useApp();
  return (
    <p class="looked">
      {words.home.looked} <Time at={answer.at} isNow />
    </p>
  );
}

function Reconciled({ answer: { reconciliation } }: { answer: Attention }) {
  const { words, locale } = useApp();
  const { home } = words;
  if (!reconciliation) return <p class="looked">{home.never_reconciled}</p>;
  const { reported_at, orders, total } = reconciliation;
  const differences = total === 0 ? home.no_differences : counted(locale, home.differences_found, total);
  return (
    <p class="looked">
      {home.reconciled} <Time at={reported_at} />:{' '}
      {fill(home.compared, { orders: counted(locale, home.orders, orders), differences })}
    </p>
  );
}
