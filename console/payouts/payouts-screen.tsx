import { useState } from 'preact/hooks';
import type { OperationSummary } from '../../shared/api/operation.ts';
import { Link, useApp } from '../app/app.tsx';
import { fromFirstPage } from '../app/route.ts';
import { Approvals } from '../intent/approvals.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import { counted } from '../locales/words.ts';
import { CsvButton, ListScreen, useList } from '../parts/list-screen.tsx';
import { PayoutBadge, payeeParts, payoutSum } from '../parts/operation.tsx';
import { Badge } from '../parts/state.tsx';
import { type Column, column, Table } from '../parts/table.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { PayoutDialog, payoutSubject } from './payout-dialog.tsx';

const payouts = (filter: URLSearchParams) => new URLSearchParams([...filter, ['operation', 'payout']]);

/** The payouts of the account, newest first, and a button for a new one. */
export function PayoutsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may, go } = useApp();
  const reading = useList(
    filter,
    (query) => api.operations(payouts(query)),
    ({ type }) => /^(payout|operation)\./.test(type),
  );
  const { operations = [] } = reading.answer ?? {};
  const kept = useKeptIntents();
  const [isPaying, setPaying] = useState(() => may('payout') && kept.find(payoutSubject) !== undefined);
  return (
    <>
      <ListScreen
        page="payouts"
        filter={filter}
        reading={reading}
        size={operations.length}
        canClear={false}
        aside={
          <>
            <CsvButton list="operations" filter={payouts(fromFirstPage(filter))} />
            {may('payout') && (
              <button type="button" class="primary" onClick={() => setPaying(true)}>
                {words.payouts.pay_out}
              </button>
            )}
          </>
        }
        filters={
          <>
            <search class="filters">
              <label class="tick">
                <input
                  type="checkbox"
                  checked={filter.get('status') === 'unknown'}
                  onChange={({ currentTarget }) => {
                    const next = new URLSearchParams(currentTarget.checked ? { status: 'unknown' } : {});
                    go({ page: 'payouts', filter: next }, 'replace');
                  }}
                />
                {words.payouts.states.unknown}
              </label>
            </search>
            <Approvals isShown={({ operation }) => operation === 'payout'} onChanged={reading.again} />
          </>
        }
      >
        <Table class="orders payouts" columns={usePayoutColumns()} entries={operations} keyOf={({ id }) => id} />
      </ListScreen>
      {isPaying && (
        <PayoutDialog
          onPaid={() => void reading.again()}
          onClose={() => {
            setPaying(false);
            void reading.again();
          }}
        />
      )}
    </>
  );
}

function usePayoutColumns(): Column<OperationSummary>[] {
  const { words, locale } = useApp();
  const names = words.payouts;
  return [
    column('when', words.orders.time, ({ created_at }) => <Time at={created_at} isInRow />),
    column('what', names.payee, ({ id, request }) => {
      const [payee, account] = payeeParts(words, request);
      return (
        <>
          <Link to={{ page: 'operation', id }} class="row-link">
            {payee ?? <Foreign text={id} />}
          </Link>
          {account !== undefined && <span class="second">{account}</span>}
        </>
      );
    }),
    column('number', words.orders.amount, ({ request }) => {
      const sum = payoutSum(request);
      return sum ? money(locale, sum.currency, sum.amount) : words.nothing;
    }),
    column('state', words.orders.status, (payout) => (
      <>
        <PayoutBadge payout={payout} />
        {payout.unknown?.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </>
    )),
    column('how', names.notifications, ({ payout: { notifications = 0, notified_at } = {} }) =>
      notifications === 0 ? (
        <span class="quiet-text">{words.nothing}</span>
      ) : (
        <>
          {counted(locale, names.times, notifications)}
          {notified_at !== undefined && (
            <span class="second">
              <Time at={notified_at} isInRow />
            </span>
          )}
        </>
      ),
    ),
    column('by', names.asked_by, ({ by }) => <Foreign text={by} />),
  ];
}
