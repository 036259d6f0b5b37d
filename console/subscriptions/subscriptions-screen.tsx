import { useState } from 'preact/hooks';
import type { SubscriptionAnswer } from '../api/read.ts';
import { useApp } from '../app/app.ts';
import { useKeptIntents } from '../intent/kept.ts';
import { fromFirstPage } from '../parts/filter.ts';
import { ListScreen, useList } from '../parts/list-screen.tsx';
import { EndDialog, endSubject } from './end-dialog.tsx';
import { SubscriptionSearch } from './subscription-search.tsx';
import { SubscriptionTable } from './subscription-table.tsx';

/** The contracts that payments began, the newest first, with the next charge to expect of each. */
export function SubscriptionsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, may } = useApp();
  const reading = useList(filter, api.subscriptions);
  const { subscriptions = [] } = reading.answer ?? {};
  const kept = useKeptIntents();
  const [ending, setEnding] = useState(() => {
    const open = may('subscription') ? kept.all().find(({ subject: [what] }) => what === endSubject('')[0]) : undefined;
    return open?.subject[1];
  });
  const first = fromFirstPage(filter);
  return (
    <>
      <ListScreen
        page="subscriptions"
        filter={filter}
        reading={reading}
        size={subscriptions.length}
        filters={<SubscriptionSearch key={String(first)} filter={first} />}
      >
        <SubscriptionTable
          subscriptions={subscriptions}
          onEnd={({ recurring_id }: SubscriptionAnswer) => setEnding(recurring_id)}
        />
      </ListScreen>
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
