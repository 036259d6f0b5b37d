import { useState } from 'preact/hooks';
import type { SubscriptionAnswer } from '../../shared/api/subscription.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { useKeptIntents } from '../intent/kept.ts';
import { Failure, Waiting } from '../parts/state.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { EndDialog, endSubject } from './end-dialog.tsx';
import { SubscriptionSearch } from './subscription-search.tsx';
import { SubscriptionTable } from './subscription-table.tsx';

const ROWS = '50';

/** The contracts that payments began, the newest first, with the next charge to expect of each. */
export function SubscriptionsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may } = useApp();
  const query = new URLSearchParams(filter);
  query.set('limit', ROWS);
  const reading = useAnswer(
    `${api.livePath} ${query}`,
    () => api.subscriptions(query),
    // The pages behind the first do not change while somebody reads them.
    () => !filter.has('before'),
  );
  const kept = useKeptIntents();
  const [ending, setEnding] = useState(() => {
    const open = may('subscription') ? kept.all().find(({ subject: [what] }) => what === endSubject('')[0]) : undefined;
    return open?.subject[1];
  });
  const { answer } = reading;
  const first = new URLSearchParams(filter);
  first.delete('before');
  return (
    <>
      <div class="heading">
        <h1>{words.pages.subscriptions}</h1>
      </div>
      <SubscriptionSearch key={String(first)} filter={first} />
      {answer !== undefined && <Failure reading={reading} />}
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : answer.subscriptions.length === 0 ? (
        <div class="empty">
          <p>{first.size > 0 ? words.subscriptions.none_found : words.subscriptions.none}</p>
          {first.size > 0 && (
            <Link to={{ page: 'subscriptions', filter: new URLSearchParams() }}>{words.orders.clear}</Link>
          )}
        </div>
      ) : (
        <SubscriptionTable
          subscriptions={answer.subscriptions}
          onEnd={({ recurring_id }: SubscriptionAnswer) => setEnding(recurring_id)}
        />
      )}
      {answer !== undefined && (
        <div class="pager">
          {filter.has('before') && <Link to={{ page: 'subscriptions', filter: first }}>{words.first_page}</Link>}
          {answer.next !== undefined && (
            <Link to={{ page: 'subscriptions', filter: withPage(filter, answer.next) }}>{words.next_page}</Link>
          )}
        </div>
      )}
      {ending !== undefined && (
        <EndDialog
          recurringId={ending}
          onEnded={() => void reading.again()}
          onClose={() => {
            setEnding(undefined);
            void reading.again();
          }}
        />
      )}
    </>
  );
}

function withPage(filter: URLSearchParams, next: string): URLSearchParams {
  const page = new URLSearchParams(filter);
  page.set('before', next);
  return page;
}
