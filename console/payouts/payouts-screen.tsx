import { useState } from 'preact/hooks';
import type { OperationSummary } from '../../shared/api/operation.ts';
import { Link, useApp } from '../app/app.tsx';
import { useKeptIntents } from '../intent/use-intent.ts';
import { counted } from '../locales/words.ts';
import { ListScreen, useList } from '../parts/list-screen.tsx';
import { PayoutBadge, payeeParts, payoutSum } from '../parts/operation.tsx';
import { Badge } from '../parts/state.tsx';
import { Cell, Row, Table } from '../parts/table.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { PayoutDialog, payoutSubject } from './payout-dialog.tsx';

/** The payouts of the account, the newest first, and the way to another one. */
export function PayoutsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may, go } = useApp();
  const reading = useList(
    filter,
    (query) => api.operations(new URLSearchParams([...query, ['operation', 'payout']])),
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
          may('payout') && (
            <button type="button" class="primary aside" onClick={() => setPaying(true)}>
              {words.payouts.pay_out}
            </button>
          )
        }
        filters={
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
        }
      >
        <Table
          class="orders payouts"
          heads={[
            ...[words.orders.time, words.payouts.payee, { number: words.orders.amount }, words.orders.status],
            ...[words.payouts.notifications, words.payouts.asked_by],
          ]}
        >
          {operations.map((payout) => (
            <PayoutRow key={payout.id} payout={payout} />
          ))}
        </Table>
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

function PayoutRow({ payout }: { payout: OperationSummary }) {
  const { words, locale } = useApp();
  const { id, request, by, created_at, unknown } = payout;
  const sum = payoutSum(request);
  const [payee, account] = payeeParts(words, request);
  const { notifications = 0, notified_at } = payout.payout ?? {};
  return (
    <Row>
      <Cell is="when">
        <Time at={created_at} isInRow />
      </Cell>
      <Cell is="what">
        <Link to={{ page: 'operation', id }} class="row-link">
          {payee ?? <Foreign text={id} />}
        </Link>
        {account !== undefined && <span class="second">{account}</span>}
      </Cell>
      <Cell is="number">{sum ? money(locale, sum.currency, sum.amount) : words.nothing}</Cell>
      <Cell is="state">
        <PayoutBadge payout={payout} />
        {unknown?.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </Cell>
      <Cell is="how">
        {notifications === 0 ? (
          <span class="quiet-text">{words.nothing}</span>
        ) : (
          <>
            {counted(locale, words.payouts.times, notifications)}
            {notified_at !== undefined && (
              <span class="second">
                <Time at={notified_at} isInRow />
              </span>
            )}
          </>
        )}
      </Cell>
      <Cell is="by">
        <Foreign text={by} />
      </Cell>
    </Row>
  );
}
