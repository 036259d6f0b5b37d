import { useRef } from 'preact/hooks';
import type { Stats } from '../../shared/api/stats.ts';
import { Link, useApp } from '../app/app.tsx';
import { withFields } from '../app/route.ts';
import { counted, fill } from '../locales/words.ts';
import { CsvButton } from '../parts/list-screen.tsx';
import { Failure, Waiting } from '../parts/state.tsx';
import { Time } from '../parts/text.tsx';
import { useAnswer } from '../parts/use-answer.ts';
import { Cards } from './cards.tsx';
import { type Days, daysIn, queriesOf, spans } from './span.ts';

/** The relay computes figures at most once a minute. */
const REFRESH_MS = 60_000;

/** The payment figures of the days and the currency in the address. */
export function FiguresScreen({ filter }: { filter: URLSearchParams }) {
  const { api, words } = useApp();
  const days = daysIn(filter);
  const currency = filter.get('currency');
  const key = `${api.livePath} ${days} ${currency}`;
  const reading = useAnswer(
    key,
    () => api.stats(queriesOf(days, currency, Date.now()).now),
    () => true,
    { soonMs: REFRESH_MS },
  );
  // The current span is shown even if the previous one could not be read.
  const before = useAnswer(`${key} before`, async () => {
    const queries = queriesOf(days, currency, Date.now());
    const [all, tooMuch] = await Promise.all([
      api.stats(queries.before),
      queries.tooMuch && api.stats(queries.tooMuch),
    ]);
    return { all: all.total, tooMuch: tooMuch?.total };
  });
  const { answer } = reading;
  return (
    <>
      <div class="heading">
        <h1>{words.pages.figures}</h1>
        {answer !== undefined && (
          <p class="hint">
            {words.figures.computed} <Time at={answer.computed_at} /> · {words.figures.utc}
          </p>
        )}
      </div>
      <search class="filters">
        <Spans filter={filter} days={days} />
        <Currencies filter={filter} stats={answer} />
      </search>
      {answer === undefined ? (
        <Waiting reading={reading} />
      ) : (
        <>
          <Failure reading={reading} />
          {answer.total.payments === 0 && answer.total.refunds.length === 0 ? (
            <Empty filter={filter} days={days} />
          ) : (
            <>
              <Cards stats={answer} before={before.answer} days={days} />
              <div class="actions exports">
                {(['refund', 'capture'] as const).map((operation) => (
                  <CsvButton
                    key={operation}
                    list="operations"
                    filter={new URLSearchParams({ operation, created_from: answer.from, created_to: answer.to })}
                    text={words.figures.csv[operation]}
                  />
                ))}
              </div>
            </>
          )}
        </>
      )}
    </>
  );
}

function Spans({ filter, days }: { filter: URLSearchParams; days: Days }) {
  const { words, locale } = useApp();
  return (
    // biome-ignore lint/a11y/useSemanticElements: the entries are links, not fields
    <div class="spans" role="group" aria-label={words.figures.time}>
      {spans.map((each) => (
        <Link
          key={each}
          to={{ page: 'figures', filter: withFields(filter, { days: String(each) }) }}
          isCurrent={each === days}
        >
          {counted(locale, words.figures.span, each)}
        </Link>
      ))}
    </div>
  );
}

function Currencies({ filter, stats }: { filter: URLSearchParams; stats: Stats | undefined }) {
  const { words, go } = useApp();
  const chosen = filter.get('currency') ?? '';
  // Figures of one currency do not list the other currencies.
  const seen = useRef(new Set<string>());
  for (const sum of stats ? [...stats.total.approved, ...stats.total.refunds] : []) seen.current.add(sum.currency);
  const known = [...new Set([...seen.current, ...(chosen === '' ? [] : [chosen])])].toSorted();
  if (known.length < 2 && chosen === '') return null;
  return (
    <select
      aria-label={words.filters.currency}
      value={chosen}
      onChange={({ currentTarget }) =>
        go({ page: 'figures', filter: withFields(filter, { currency: currentTarget.value }) }, 'replace')
      }
    >
      <option value="">{words.figures.all_currencies}</option>
      {known.map((currency) => (
        <option key={currency} value={currency}>
          {currency}
        </option>
      ))}
    </select>
  );
}

function Empty({ filter, days }: { filter: URLSearchParams; days: Days }) {
  const { words, locale } = useApp();
  const more = spans.find((each) => each > days);
  return (
    <div class="empty">
      <p>{fill(words.figures.none, { span: counted(locale, words.figures.span, days) })}</p>
      {more !== undefined && (
        <Link to={{ page: 'figures', filter: withFields(filter, { days: '90' }) }}>
          {counted(locale, words.figures.span, 90)}
        </Link>
      )}
    </div>
  );
}
