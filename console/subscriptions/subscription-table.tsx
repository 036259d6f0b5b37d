import type { SubscriptionAnswer } from '../../shared/api/subscription.ts';
import { useApp } from '../app/app.ts';
import { Link } from '../app/link.tsx';
import { compareAmounts } from '../parts/amount.ts';
import { Method } from '../parts/method.tsx';
import { Badge, type Tone } from '../parts/state.tsx';
import { Foreign, money, Time } from '../parts/text.tsx';
import { useRowKeys } from '../parts/use-row-keys.ts';
import { dayText, termsText } from './terms.ts';

type Props = { subscriptions: readonly SubscriptionAnswer[]; onEnd: (subscription: SubscriptionAnswer) => void };

const tones: Readonly<Record<SubscriptionAnswer['status'], Tone>> = {
  active: 'good',
  ending: 'busy',
  end_unknown: 'open',
  ended: 'quiet',
};

/** The contracts, one a row. */
export function SubscriptionTable({ subscriptions, onEnd }: Props) {
  const { words, may } = useApp();
  const names = words.subscriptions;
  const rows = useRowKeys();
  return (
    // Browsers forget the roles of a table where a style sheet makes a phone's list of it: they are said again.
    <table class="list orders contracts" role="table" ref={rows}>
      <thead role="rowgroup">
        <tr role="row">
          <th scope="col">{names.started}</th>
          <th scope="col">{names.contract}</th>
          <th scope="col">{names.shopper}</th>
          <th scope="col">{names.terms}</th>
          <th scope="col">{names.charges}</th>
          <th scope="col">{names.next}</th>
          <th scope="col">{words.orders.status}</th>
          {may('subscription') && (
            <th scope="col">
              <span class="hidden">{names.end}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {subscriptions.map((one) => (
          <Row key={`${one.order_no} ${one.recurring_id}`} subscription={one} onEnd={onEnd} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ subscription, onEnd }: { subscription: SubscriptionAnswer; onEnd: Props['onEnd'] }) {
  const { words, locale, may } = useApp();
  const names = words.subscriptions;
  const { contract_name, recurring_id, order_no, started_at, shopper_email, card, status, end } = subscription;
  const { first_charge, terms, currency } = subscription;
  const { amount = '0' } = first_charge;
  const isDearer = terms?.contract_amount !== undefined && compareAmounts(terms.contract_amount, amount) !== 0;
  return (
    <tr role="row">
      <td role="cell" class="when">
        <Time at={started_at} isInRow />
      </td>
      <td role="cell" class="what">
        <Link to={{ page: 'order', orderNo: order_no }} class="row-link">
          <Foreign text={order_no} />
        </Link>
        <span class="second">
          {contract_name !== undefined && (
            <>
              <Foreign text={contract_name} />
              {' · '}
            </>
          )}
          <Foreign text={recurring_id} />
        </span>
      </td>
      <td role="cell" class="who">
        {shopper_email !== undefined && <Foreign text={shopper_email} />}
        <span class={shopper_email === undefined ? undefined : 'second'}>
          <Method method={undefined} card={card} />
        </span>
      </td>
      <td role="cell" class="terms">
        {termsText(words, locale, subscription) ?? words.nothing}
        {isDearer && <span class="second">{names.first(money(locale, currency, amount))}</span>}
        {terms?.contract_end !== undefined && (
          <span class="second">{names.until(dayText(locale, terms.contract_end))}</span>
        )}
      </td>
      <td role="cell" class="charges">
        <Charges subscription={subscription} />
      </td>
      <td role="cell" class="next">
        <Next subscription={subscription} />
      </td>
      <td role="cell" class="state">
        <Badge tone={tones[status]}>{names.states[status]}</Badge>
        {status === 'active' && end?.outcome === 'failed' && <span class="second">{names.declined_before}</span>}
      </td>
      {may('subscription') && (
        <td role="cell" class="act">
          {status === 'active' && (
            <button type="button" class="plain" onClick={() => onEnd(subscription)}>
              {names.end}
              <span class="hidden">
                {' '}
                <Foreign text={order_no} />
              </span>
            </button>
          )}
        </td>
      )}
    </tr>
  );
}

/** How often it was charged, as far as is known, and what the gateway wrote about it. */
function Charges({ subscription }: { subscription: SubscriptionAnswer }) {
  const { words, locale } = useApp();
  const { later_charges, last_charge, notifications } = subscription;
  return (
    <>
      {new Intl.NumberFormat(locale).format(1 + later_charges)}
      {last_charge?.at !== undefined && (
        <span class="second">{words.subscriptions.last(dayText(locale, last_charge.at.slice(0, 10)))}</span>
      )}
      {notifications > 0 && <span class="second">{words.payouts.times(notifications)}</span>}
    </>
  );
}

function Next({ subscription: { next_charge, status } }: { subscription: SubscriptionAnswer }) {
  const { words, locale } = useApp();
  const names = words.subscriptions;
  if (next_charge === undefined) {
    return (
      <span class="quiet-text" title={status === 'active' ? names.not_told : undefined}>
        {words.nothing}
      </span>
    );
  }
  const { date, by, amount, currency } = next_charge;
  return (
    <>
      <time dateTime={date}>{dayText(locale, date)}</time>
      <span class="second">
        {money(locale, currency, amount)} · {by === 'terms' ? names.expected : names.told}
      </span>
    </>
  );
}
