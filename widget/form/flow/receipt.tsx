import { digitsOf } from '../../../shared/checkout/fields/digits.ts';
import { certainBrand } from '../card/brands.ts';
import type { CheckoutModel } from '../model.ts';

/** What a shopper keeps of a payment that went through: whom, when and with which card they paid. */
export function Receipt({ checkout: { t, boot, state, platform } }: { checkout: CheckoutModel }) {
  const { merchant_name, order_no, card, paid_at } = state.view;
  const paid = paid_at ? new Date(paid_at) : platform.now();
  return (
    <dl>
      <Row name={t('paid_to')} value={merchant_name} />
      <Row name={t('paid_on')} value={new Intl.DateTimeFormat(boot.locale, { dateStyle: 'long' }).format(paid)} />
      {order_no && <Row name={t('order_no')} value={order_no} />}
      {card && <Row name={t('paid_with')} value={cardName(card)} />}
    </dl>
  );
}

/** A masked number as its brand and its last digits. */
function cardName(masked: string): string {
  const [first = '', last = ''] = masked.split(/\*+/);
  const brand = certainBrand(digitsOf(first));
  return `${brand ? `${brand.name} ` : ''}•••• ${last}`;
}

function Row({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}
