import { useRef } from 'preact/hooks';
import type { SearchAnswer } from '../../shared/api/search.ts';
import { Link, useApp } from '../app/app.tsx';
import { counted, fill, type Words } from '../locales/words.ts';
import { useKeptRow } from '../parts/kept-row.ts';
import { Failure, Waiting } from '../parts/state.tsx';
import { type Column, column, Rows, useRowKeysIn } from '../parts/table.tsx';
import { Foreign, isolated, money, Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { type HitKind, type HitRow, kinds, rowsOf } from './hit-rows.tsx';
import { searchText } from './search-text.ts';

/** The hits of a search by kind, and how the text was interpreted. */
export function SearchScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const q = searchText(filter.get('q') ?? '');
  return (
    <>
      <div class="heading">
        <h1>
          {words.pages.search}
          {q !== '' && (
            <>
              {': '}
              <Foreign text={q} />
            </>
          )}
        </h1>
      </div>
      {q === '' ? <p class="empty">{words.search.empty}</p> : <Found key={`${api.livePath} ${q}`} q={q} />}
    </>
  );
}

function Found({ q }: { q: string }) {
  const { api, words, locale } = useApp();
  const reading = useAnswer(`${api.livePath} search ${q}`, () => api.search(q));
  const holder = useRef<HTMLDivElement>(null);
  useRowKeysIn(holder, 'arrows');
  const { answer } = reading;
  useKeptRow(holder, answer !== undefined);
  if (!answer) return <Waiting reading={reading} />;
  const found = kinds.map((kind) => ({ kind, rows: rowsOf(kind, answer, words), more: answer[kind].more === true }));
  const count = found.reduce((sum, { rows }) => sum + rows.length, 0);
  const hasMore = found.some(({ more }) => more);
  return (
    <div ref={holder} class="found">
      <Failure reading={reading} />
      <p role="status" class={count === 0 ? 'none' : 'counted'}>
        {count === 0 ? fill(words.search.none, { text: isolated(q) }) : counted(locale, words.search.found, count)}
      </p>
      {found.map((group) => group.rows.length > 0 && <Group key={group.kind} {...group} />)}
      {hasMore && <p class="quiet-text">{words.search.more}</p>}
      <SearchedFor answer={answer} />
      {count > 0 && <p class="keys">{words.search.keys}</p>}
    </div>
  );
}

function Group({ kind, rows, more }: { kind: HitKind; rows: readonly HitRow[]; more: boolean }) {
  const { words, locale } = useApp();
  const names: Readonly<Record<string, string>> = words.search.matched;
  const columns: Column<HitRow>[] = [
    column('what', nameOf(kind, words), ({ to, name }) => (
      <Link to={to} class="row-link">
        <Foreign text={name} />
      </Link>
    )),
    column('how', words.audit.about, ({ orderNo, about, matched }) => (
      <>
        {orderNo !== undefined && (
          <>
            {words.orders.order} <Foreign text={orderNo} />
            {about !== undefined && ' · '}
          </>
        )}
        {about}
        <span class="second">{matched.map((one) => names[one] ?? one).join(', ')}</span>
      </>
    )),
    column('number', words.orders.amount, ({ amount, currency }) =>
      amount === undefined || currency === undefined ? undefined : money(locale, currency, amount),
    ),
    column('state', words.orders.status, ({ state }) => state),
    column('when', words.orders.time, ({ at }) => <Time at={at} isInRow />),
  ];
  return (
    <section aria-labelledby={kind}>
      <h2 id={kind}>
        {nameOf(kind, words)} <span class="count">{`${rows.length}${more ? '+' : ''}`}</span>
      </h2>
      <table class="list orders hits" role="table">
        <Rows columns={columns} entries={rows} keyOf={({ id }) => id} isHeadHidden />
      </table>
    </section>
  );
}

function nameOf(kind: HitKind, { pages, search }: Words): string {
  return kind === 'orders' || kind === 'subscriptions' ? pages[kind] : search.kinds[kind];
}

type Searched = SearchAnswer['searched'][number];

/** How the text was interpreted, and links to lists of orders with more matches. */
function SearchedFor({ answer: { searched, orders } }: { answer: SearchAnswer }) {
  const { words, locale } = useApp();
  const texts = searched.flatMap((one) => wordsFor(words, locale, one) ?? []);
  const lists = searched
    .filter(({ from }) => from !== undefined || orders.more)
    .flatMap((one) => listOf(words, locale, one) ?? []);
  return (
    <>
      <p class="quiet-text">
        {words.search.searched}: {texts.join('; ')}.
      </p>
      {lists.length > 0 && (
        <ul class="links">
          {lists.map(({ what, filter }) => (
            <li key={what}>
              <Link to={{ page: 'orders', filter }}>{fill(words.search.all_orders, { what })}</Link>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** An interpretation in words; undefined for one that only a newer relay has. */
function wordsFor({ search }: Words, locale: string, one: Searched): string | undefined {
  const texts: Readonly<Record<string, string | undefined>> = search.as;
  const { as, value, from } = one;
  const date = from === undefined ? '' : new Date(from).toLocaleDateString(locale);
  return texts[as] && fill(texts[as], { digits: value, date, amount: amountText(locale, one) });
}

function amountText(locale: string, { value, currencies = [] }: Searched): string {
  const amounts = currencies.map((currency) => money(locale, currency, value));
  return new Intl.ListFormat(locale, { type: 'disjunction' }).format(amounts);
}

/** The list of orders with all matches of an interpretation, if there is one. */
function listOf(
  { orders }: Words,
  locale: string,
  one: Searched,
): { what: string; filter: URLSearchParams } | undefined {
  const { as, value, currencies = [] } = one;
  if (as === 'email' || as === 'last4') {
    return { what: `${orders[as]} ${isolated(value)}`, filter: new URLSearchParams({ [as]: value }) };
  }
  const [currency, ...others] = currencies;
  if (as !== 'amount' || currency === undefined) return undefined;
  const filter = new URLSearchParams({ amount: value, ...(others.length === 0 ? { currency } : {}) });
  return { what: `${orders.amount} ${amountText(locale, one)}`, filter };
}
