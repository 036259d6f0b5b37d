import type { AuditEntry } from '../../shared/api/audit.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { CsvButton } from '../parts/csv-button.tsx';
import { Badge, Failure, Waiting } from '../parts/state.tsx';
import { Foreign, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';

/** Who did what, when and from where, the newest first. */
export function AuditScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const reading = useAnswer(
    `${api.livePath} audit ${filter}`,
    () => api.audit(filter),
    () => !filter.has('before'),
  );
  const { answer } = reading;
  const all = new URLSearchParams(filter);
  all.delete('before');
  return (
    <>
      <div class="heading">
        <h1>{words.pages.audit}</h1>
        <CsvButton list="audit" filter={all} />
      </div>
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          {answer.entries.length === 0 ? <p class="empty">{words.audit.none}</p> : <Table entries={answer.entries} />}
          <p class="pager">
            {filter.has('before') && <Link to={{ page: 'audit', filter: all }}>{words.first_page}</Link>}
            {answer.next !== undefined && (
              <Link to={{ page: 'audit', filter: withPage(all, answer.next) }}>{words.next_page}</Link>
            )}
          </p>
        </>
      )}
    </>
  );
}

function withPage(filter: URLSearchParams, next: string): URLSearchParams {
  const page = new URLSearchParams(filter);
  page.set('before', next);
  return page;
}

function Table({ entries }: { entries: readonly AuditEntry[] }) {
  const { words } = useApp();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, by keyboard too
    <section class="wide" aria-label={words.pages.audit} tabIndex={0}>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">{words.orders.time}</th>
            <th scope="col">{words.audit.who}</th>
            <th scope="col">{words.audit.what}</th>
            <th scope="col">{words.audit.about}</th>
            <th scope="col">{words.audit.from}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td class="when">
                <Time at={entry.at} />
              </td>
              <td>
                <Foreign text={entry.by} />
              </td>
              <td>
                <Foreign text={entry.action} />{' '}
                {entry.problem !== undefined && <Badge tone="bad">{words.audit.refused(entry.problem)}</Badge>}
              </td>
              <td>
                <About entry={entry} />
              </td>
              <td class="code">{entry.ip === undefined ? words.nothing : <Foreign text={entry.ip} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function About({ entry: { orders = [], subject } }: { entry: AuditEntry }) {
  const { words } = useApp();
  return (
    <>
      {orders.map((orderNo) => (
        <Link key={orderNo} to={{ page: 'order', orderNo }}>
          <Foreign text={orderNo} />{' '}
        </Link>
      ))}
      {subject?.startsWith('op_') && <Link to={{ page: 'operation', id: subject }}>{words.order.details}</Link>}
    </>
  );
}
