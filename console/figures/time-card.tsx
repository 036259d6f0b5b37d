import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Stats } from '../../shared/api/stats.ts';
import { Link, useApp } from '../app/app.tsx';
import type { Route } from '../app/route.ts';
import { counted, fill } from '../locales/words.ts';
import { Chart, type Drawing } from './chart.tsx';
import { formatsOf } from './formats.ts';
import { type Days, ordersIn } from './span.ts';

/** The content of the card: values for the chart, and texts. `total` covers all periods. */
type Series = { name: string; values: readonly (number | null)[]; texts: readonly string[]; total?: string };

type Props = Pick<Drawing, 'axis'> & {
  isBars?: boolean;
  min?: number;
  max?: number;
  title: string;
  stats: Stats;
  days: Days;
  series: readonly Series[];
  /** The text above a chart of one line while the cursor is outside. */
  note?: string;
  /** Narrows the orders of a period. */
  filter?: Readonly<Record<string, string>>;
  /** Undefined while the previous span is not known. */
  change: FigureChange | undefined;
  /** The headline number and its details. */
  children: ComponentChildren;
};

/** Figures by period: a headline number, a chart, the values at the chart's cursor, and the same data as a table. */
export function TimeCard({ title, stats, days, series, note, filter, change, children, ...axes }: Props) {
  const { words, locale, go } = useApp();
  const [at, setAt] = useState<number>();
  const formats = formatsOf(locale);
  const { by, periods } = stats;
  const span = counted(locale, words.figures.span, days);
  const ordersOf = (start: string): Route => ordersBehind(stats, ordersIn(start, by), filter);
  const nameOf = (period: number): string => formats.fullPeriod[by](periods[period]?.start ?? stats.to);
  const open = (period: number): void => {
    const start = periods[period]?.start;
    if (start !== undefined) go(ordersOf(start));
  };
  const textsAt = (period: number): string =>
    [nameOf(period), ...series.map(({ name, texts }) => `${name} ${texts[period] ?? words.nothing}`)].join(', ');
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
      {change && <Change {...change} span={span} />}
      <p class="readout">
        {at === undefined && note !== undefined ? (
          note
        ) : (
          <>
            <span>{at === undefined ? span : nameOf(at)}</span>
            {series.map(({ name, texts, total }, line) => (
              <span key={name} class={`key line-${line}`}>
                {name} <b>{at === undefined ? total : (texts[at] ?? words.nothing)}</b>
              </span>
            ))}
          </>
        )}
      </p>
      <Chart
        {...{ isBars: false, min: 0, ...axes }}
        series={series}
        label={title}
        hint={words.figures.hint}
        period={(period) => formats.period[by](periods[period]?.start ?? stats.to)}
        textAt={textsAt}
        onCursor={setAt}
        onOpen={open}
      />
      <details>
        <summary>
          {words.figures.table}
          <span class="hidden">: {title}</span>
        </summary>
        <div class="scroll">
          <table class="list">
            <thead>
              <tr>
                <th scope="col">{words.figures.period[by]}</th>
                {series.map(({ name }) => (
                  <th key={name} scope="col" class="number">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {periods
                .map(({ start }, period) => (
                  <tr key={start}>
                    <td>
                      <Link to={ordersOf(start)}>{nameOf(period)}</Link>
                    </td>
                    {series.map(({ name, texts }) => (
                      <td key={name} class="number">
                        {texts[period] ?? words.nothing}
                      </td>
                    ))}
                  </tr>
                ))
                .reverse()}
            </tbody>
          </table>
        </div>
      </details>
    </section>
  );
}

/** The orders of the span, or of one of its periods, that also match a filter. */
export function ordersBehind(
  { currency }: Stats,
  when: { created_from: string; created_to: string },
  filter: Readonly<Record<string, string>> = {},
): Route {
  return { page: 'orders', filter: new URLSearchParams({ ...when, ...(currency ? { currency } : {}), ...filter }) };
}

/** The change of a figure, and its value in the previous span; `was` is undefined if there was none. */
type FigureChange = {
  share: number | undefined;
  write: (share: number) => string;
  was: string | undefined;
  isGood: boolean;
};

function Change({ share, write, was, span, isGood }: FigureChange & { span: string }) {
  const { figures: names } = useApp().words;
  const tone = share === undefined || share === 0 ? 'quiet-text' : isGood ? 'up' : 'down';
  return (
    <p class="change">
      {share !== undefined && <b class={tone}>{write(share)}</b>}{' '}
      <span class="quiet-text">
        {was === undefined ? fill(names.none_before, { span }) : fill(names.before, { value: was, span })}
      </span>
    </p>
  );
}
