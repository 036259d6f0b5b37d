import type { OrderWithTimeline } from '../../shared/api/order.ts';
import type { OrderPaymentAnswer } from '../../shared/api/order-payment.ts';
import { maskedEmail } from '../../shared/checkout/fields/email.ts';
import { Link, useApp } from '../app/app.tsx';
import { type Fact, Facts } from '../parts/table.tsx';
import { Foreign, harmless, money, Time } from '../parts/text.tsx';

/** The shop's data about an order: items, shopper, delivery address and notes. Empty if the shop sent none of them. */
export function GivenFacts({ order }: { order: OrderWithTimeline }) {
  const { words, locale } = useApp();
  const names = words.order;
  const newest = order.sessions.toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1))[0];
  const items = newest?.order?.items ?? [];
  const email = newest?.order?.shopper_email;
  const delivery = deliveryOf(newest?.order ?? {});
  const facts: Fact[] = [
    ...items.map(({ name, quantity, price }, at) => ({
      ...{ id: `item ${at}`, name: `${quantity} ×`, value: <Foreign text={name} /> },
      note: money(locale, order.currency, price),
    })),
    ...(typeof email === 'string'
      ? [
          {
            ...{ name: names.shopper, value: <Foreign text={maskedEmail(email)} /> },
            note: (
              <Link to={{ page: 'orders', filter: new URLSearchParams({ email }) }}>{names.orders_of_shopper}</Link>
            ),
          },
        ]
      : []),
    ...(delivery === '' ? [] : [{ name: names.delivery, value: <Foreign text={delivery} /> }]),
    ...Object.entries(newest?.metadata ?? {}).map(([name, text]) => ({
      ...{ id: `metadata ${name}`, name: harmless(name), value: <Foreign text={text} /> },
    })),
  ];
  return facts.length === 0 ? null : <Facts facts={facts} />;
}

/** The recipient and the delivery address in one line; empty if the shop sent none. */
function deliveryOf(order: Readonly<Record<string, unknown>>): string {
  const line = (...names: string[]): string =>
    names.flatMap((name) => (typeof order[name] === 'string' && order[name] !== '' ? [order[name]] : [])).join(' ');
  return [
    line('delivery_firstname', 'delivery_lastname'),
    line('delivery_street_name', 'delivery_address'),
    line('delivery_district_name'),
    line('delivery_postal_code', 'delivery_city'),
    line('delivery_state'),
    line('delivery_country'),
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The other fields of the gateway's record of a payment, in a collapsed section. */
export function RecordFacts({ payment: { gateway, transaction_id } }: { payment: OrderPaymentAnswer }) {
  const { words } = useApp();
  const names = words.order;
  if (!gateway) return null;
  const { fraud_check_result: checks = [] } = gateway;
  const given: readonly (readonly [name: string, text: string | undefined])[] = [
    [names.gateway_status, gateway.payment_status],
    [names.decline_reason, gateway.decline_reason],
    ...checks.map(
      ({ check_items, status }) =>
        [check_items === undefined ? names.fraud_check : harmless(check_items), status] as const,
    ),
    [names.antifraud_provider, gateway.antifraud_provider],
    [names.is3ds, gateway.is3ds],
    [names.connector, gateway.connector],
    [names.reference_no, gateway.reference_no],
  ];
  return (
    <details>
      <summary>
        {names.record} <Foreign text={transaction_id} />
      </summary>
      <Facts
        facts={[
          ...given.flatMap(([name, text], at) =>
            text === undefined ? [] : [{ id: `${at}`, name, class: 'code', value: <Foreign text={text} /> }],
          ),
          { name: names.as_of, value: <Time at={gateway.as_of} /> },
        ]}
      />
    </details>
  );
}
