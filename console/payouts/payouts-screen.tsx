import { useState } from 'preact/hooks';
import type { OperationSummary } from '../../shared/api/operation.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { useKeptIntents } from '../intent/kept.ts';
import { PayoutBadge, payeeParts, payoutSum } from '../parts/payout.tsx';
import { Badge, Failure, Waiting } from '../parts/state.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { PayoutDialog, payoutSubject } from './payout-dialog.tsx';

const ROWS = '50';

/** The payouts of the account, the newest first, and the way to another one. */
export function PayoutsScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words, may, go } = useApp();
  const query = new URLSearchParams(filter);
  query.set('operation', 'payout');
  query.set('limit', ROWS);
  const reading = useAnswer(
    `${api.livePath} ${query}`,
    () => api.operations(query),
    // The pages behind the first do not change while somebody reads them.
    ({ type }) => !filter.has('before') && /^(payout|operation)\./.test(type),
  );
  const kept = useKeptIntents();
  const [isPaying, setPaying] = useState(() => may('payout') && kept.find(payoutSubject) !== undefined);
  const table = useRowKeys();
  const { answer } = reading;
  const first = new URLSearchParams(filter);
  first.delete('before');
  const isFiltered = first.size > 0;
  return (
    <>
      <div class="heading">
        <h1>{words.pages.payouts}</h1>
        {may('payout') && (
          <button type="button" class="primary aside" onClick={() => setPaying(true)}>
            {words.payouts.pay_out}
          </button>
        )}
      </div>
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
      {answer !== undefined && <Failure reading={reading} />}
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : answer.operations.length === 0 ? (
        <div class="empty">
          <p>{isFiltered ? words.payouts.none_found : words.payouts.none}</p>
        </div>
      ) : (
        <>
          <Table payouts={answer.operations} rows={table} />
          <div class="pager">
            {filter.has('before') && <Link to={{ page: 'payouts', filter: first }}>{words.first_page}</Link>}
            {answer.next !== undefined && (
              <Link to={{ page: 'payouts', filter: withPage(filter, answer.next) }}>{words.next_page}</Link>
            )}
          </div>
        </>
      )}
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

function withPage(filter: URLSearchParams, next: string): URLSearchParams {
  const page = new URLSearchParams(filter);
  page.set('before', next);
  return page;
}

function Table({ payouts, rows }: { payouts: readonly OperationSummary[]; rows: ReturnType<typeof useRowKeys> }) {
  const { words } = useApp();
  return (
    // Browsers forget the roles of a table where a style sheet makes a phone's list of it: they are said again.
    <table class="list orders payouts" role="table" ref={rows}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{words.orders.time}</th>
          <th scope="col">{words.payouts.payee}</th>
          <th scope="col" class="number">
            {words.orders.amount}
          </th>
          <th scope="col">{words.orders.status}</th>
          <th scope="col">{words.payouts.notifications}</th>
          <th scope="col">{words.payouts.asked_by}</th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {payouts.map((payout) => (
          <Row key={payout.id} payout={payout} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ payout }: { payout: OperationSummary }) {
  const { words, locale } = useApp();
  const { id, request, by, created_at, unknown } = payout;
  const sum = payoutSum(request);
  const [payee, account] = payeeParts(words, request);
  const { notifications = 0, notified_at } = payout.payout ?? {};
  return (
    <tr role="row">
      <td role="cell" class="when">
        <Time at={created_at} isInRow />
      </td>
      <td role="cell" class="what">
        <Link to={{ page: 'operation', id }} class="row-link">
          {payee ?? <Foreign text={id} />}
        </Link>
        {account !== undefined && <span class="second">{account}</span>}
      </td>
      <td role="cell" class="number">
        {sum ? money(locale, sum.currency, sum.amount) : words.nothing}
      </td>
      <td role="cell" class="state">
        <PayoutBadge payout={payout} />
        {unknown?.needs_attention && <Badge tone="open">{words.needs_attention}</Badge>}
      </td>
      <td role="cell" class="how">
        {notifications === 0 ? (
          <span class="quiet-text">{words.nothing}</span>
        ) : (
          <>
            {words.payouts.times(notifications)}
            {notified_at !== undefined && (
              <span class="second">
                <Time at={notified_at} isInRow />
              </span>
            )}
          </>
        )}
      </td>
      <td role="cell" class="by">
        {by === undefined ? words.nothing : <Foreign text={by} />}
      </td>
    </tr>
  );
}
