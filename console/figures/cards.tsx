import type { Stats, StatsFigures } from '../../shared/api/stats.ts';
import { Link, useApp } from '../app/app.tsx';
import type { Route } from '../app/route.ts';
import { counted, fill } from '../locales/words.ts';
import { Foreign } from '../parts/text.tsx';
import { Breakdown, useReasons } from './breakdown.tsx';
import { formatsOf } from './formats.ts';
import { type Days, growth } from './span.ts';
import { ordersBehind, TimeCard } from './time-card.tsx';

/** The maximum number of currency charts. More would hide the rest of the screen. */
const MAX_VOLUMES = 4;

/** The figures of the previous span, and of its hours that have no counterpart yet. */
type Before = { all: StatsFigures; tooMuch: StatsFigures | undefined };

type Props = { stats: Stats; before: Before | undefined; days: Days };

/** All figures of a span. Each links to its orders. */
export function Cards(props: Props) {
  const { words } = useApp();
  const { total } = props.stats;
  const currencies = [...new Set([...total.gross, ...total.refunds].map(({ currency }) => currency))];
  const others = currencies.slice(MAX_VOLUMES);
  return (
    <div class="cards">
      <ApprovalRate {...props} />
      {currencies.slice(0, MAX_VOLUMES).map((currency) => (
        <Volume key={currency} {...props} currency={currency} />
      ))}
      {others.length > 0 && (
        <p class="hint whole">
          {words.figures.other_currencies}{' '}
          {others.map((currency) => (
            <Link key={currency} to={figuresIn(currency, props.days)}>
              {currency}{' '}
            </Link>
          ))}
        </p>
      )}
      <Latency {...props} />
      {/* Both fill the space beside the last chart, if there is any. */}
      <div class={currencies.length % 2 === 1 ? 'pair' : 'apart'}>
        <Declines {...props} />
        <Methods {...props} />
        <Chargebacks {...props} />
      </div>
    </div>
  );
}

const figuresIn = (currency: string, days: Days): Route => ({
  page: 'figures',
  filter: new URLSearchParams({ days: String(days), currency }),
});

const wholeSpan = ({ from, to }: Stats) => ({ created_from: from, created_to: to });

function ApprovalRate({ stats, before, days }: Props) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { share, points, count } = formatsOf(locale);
  const { total, periods } = stats;
  const rates = periods.map(({ approval_rate }) => approval_rate ?? null);
  const [rate, was] = [total.approval_rate, before?.all.approval_rate];
  const { approved, declined, unknown, pending, in_flight, redirected } = total.outcomes;
  const open = unknown + pending + in_flight + redirected;
  const change = rate === undefined || was === undefined ? undefined : Math.round((rate - was) * 1000) / 1000;
  const texts = periods.map(({ approval_rate, outcomes }) =>
    approval_rate === undefined
      ? words.nothing
      : `${share(approval_rate)} · ${fill(names.of, { part: count(outcomes.approved), whole: count(outcomes.approved + outcomes.declined) })}`,
  );
  return (
    <TimeCard
      title={names.approval_rate}
      stats={stats}
      days={days}
      min={rates.every((one) => one === null || one >= 0.5) ? 0.5 : 0}
      max={1}
      axis={share}
      series={[{ name: names.approved, values: rates, texts }]}
      note={
        fill(names.outcomes, { approved: count(approved), declined: count(declined) }) +
        (open > 0 ? ` · ${fill(names.open, { count: count(open) })}` : '')
      }
      change={
        before && {
          share: change,
          write: (change) => fill(names.points, { change: points(change) }),
          was: was === undefined ? undefined : share(was),
          isGood: (change ?? 0) > 0,
        }
      }
    >
      <p class="great">{rate === undefined ? words.nothing : share(rate)}</p>
    </TimeCard>
  );
}

/** The gross and net volume of one currency. */
function Volume({ stats, before, days, currency }: Props & { currency: string }) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { growth: writtenGrowth, count, money, shortMoney } = formatsOf(locale);
  const written = money(currency);
  const sumIn = (figures: StatsFigures | undefined) => figures?.gross.find((sum) => sum.currency === currency);
  const sum = sumIn(stats.total);
  const was = difference(sumIn(before?.all)?.amount, sumIn(before?.tooMuch)?.amount);
  const change = growth(Number(sum?.amount ?? 0), was);
  const net = stats.total.net.find((one) => one.currency === currency)?.amount ?? '0';
  const refunded = stats.total.refunds.find((one) => one.currency === currency);
  const amounts = stats.periods.map((period) => sumIn(period)?.amount ?? '0');
  const paid = { status: 'paid', currency };
  return (
    <TimeCard
      title={fill(names.volume, { currency })}
      stats={stats}
      days={days}
      isBars
      axis={shortMoney(currency)}
      series={[{ name: words.payment_statuses.paid, values: amounts.map(Number), texts: amounts.map(written) }]}
      note={
        `${counted(locale, names.payments, sum?.count ?? 0)} · ${fill(names.net, { amount: written(net) })}` +
        (refunded
          ? ` · ${fill(names.refunded, { amount: written(refunded.amount), count: count(refunded.count) })}`
          : '')
      }
      filter={paid}
      change={
        before && {
          share: change,
          write: writtenGrowth,
          was: was <= 0 ? undefined : written(was.toFixed(2)),
          isGood: (change ?? 0) > 0,
        }
      }
    >
      <p class="great">
        <Link to={ordersBehind(stats, wholeSpan(stats), paid)}>{written(sum?.amount ?? '0')}</Link>
      </p>
    </TimeCard>
  );
}

/** The net amount, as a number to compare with. */
function difference(all = '0', part = '0'): number {
  return Math.round((Number(all) - Number(part)) * 10_000) / 10_000;
}

function Latency({ stats, before, days }: Props) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { growth: writtenGrowth, duration } = formatsOf(locale);
  const { latency } = stats.total;
  const was = before?.all.latency?.p95_ms;
  const change = latency && was !== undefined ? growth(latency.p95_ms, was) : undefined;
  const line = (name: string, key: 'p50_ms' | 'p95_ms' | 'p99_ms') => ({
    name,
    values: stats.periods.map((period) => period.latency?.[key] ?? null),
    texts: stats.periods.map((period) => (period.latency ? duration(period.latency[key]) : words.nothing)),
    total: latency ? duration(latency[key]) : words.nothing,
  });
  return (
    <TimeCard
      title={names.latency}
      stats={stats}
      days={days}
      axis={duration}
      series={[line(names.median, 'p50_ms'), line('p95', 'p95_ms'), line('p99', 'p99_ms')]}
      change={
        before && {
          share: change,
          write: writtenGrowth,
          was: was === undefined ? undefined : duration(was),
          isGood: (change ?? 0) < 0,
        }
      }
    >
      <p class="great">
        {latency ? duration(latency.p95_ms) : words.nothing}{' '}
        <span class="hint">{counted(locale, names.percentile, latency?.answers ?? 0)}</span>
      </p>
    </TimeCard>
  );
}

function Declines({ stats }: Props) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { share } = formatsOf(locale);
  const codes = stats.total.decline_codes;
  const reasons = useReasons(
    codes.map(({ code }) => code),
    new URLSearchParams(wholeSpan(stats)),
  );
  const { declined } = stats.total.outcomes;
  return (
    <Breakdown
      title={names.declines}
      columns={[names.reason, names.count, names.share]}
      parts={codes.map(({ code, count }) => ({
        ...{ key: code, count, share: share(count / Math.max(1, declined)) },
        name: (
          <>
            <Foreign text={code} /> {reasons.get(code) && <Foreign text={reasons.get(code) ?? ''} />}
          </>
        ),
        to: ordersBehind(stats, wholeSpan(stats), { decline_code: code }),
      }))}
    />
  );
}

function Methods({ stats }: Props) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { share } = formatsOf(locale);
  const ours: Readonly<Record<string, string>> = { card: words.orders.card, token: names.saved_card };
  return (
    <Breakdown
      title={names.methods}
      columns={[words.orders.method, names.count, names.approval_rate]}
      parts={stats.total.methods.map(({ payment_method: method, payments, approval_rate }) => ({
        ...{ key: method, count: payments, share: approval_rate === undefined ? words.nothing : share(approval_rate) },
        name: ours[method] ?? <Foreign text={method} />,
        to: ordersBehind(stats, wholeSpan(stats), { payment_method: method }),
      }))}
    />
  );
}

/** The chargebacks of the span's payments by currency, with their share of the amount. */
function Chargebacks({ stats }: Props) {
  const { words, locale } = useApp();
  const { figures: names } = words;
  const { share, money } = formatsOf(locale);
  const { chargeback_rate: rate } = stats.total;
  return (
    <Breakdown
      title={rate === undefined ? names.chargebacks : `${names.chargebacks} (${share(rate)})`}
      columns={[words.orders.amount, names.count, names.share]}
      parts={stats.total.reversed.map(({ currency, amount, count, rate }) => ({
        ...{ key: currency, count, share: share(rate), name: money(currency)(amount) },
        to: { page: 'disputes', filter: new URLSearchParams(wholeSpan(stats)) },
      }))}
    />
  );
}
