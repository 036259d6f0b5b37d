import type { SavedCard } from '../../../shared/checkout/session.ts';
import { expiryProblem } from '../card/problems.ts';
import type { CheckoutModel } from '../model.ts';
import { Mark } from '../view/accepted-brands.tsx';
import { SecurityCode } from '../view/card-fields.tsx';
import { Radios } from '../view/radios.tsx';
import { RemoveCard } from './remove-card.tsx';

/** The saved cards of this shopper, and the option of another card. A saved card needs only its security code. */
export function SavedCards({ checkout }: { checkout: CheckoutModel }) {
  const { t, state, platform } = checkout;
  const saved = state.view.saved_cards ?? [];
  if (!saved.length) return null;
  const now = platform.now();
  const options = saved.map((card) => {
    const { id, name } = brandNamed(card.brand);
    const { date, isPast } = expiryOf(card, now);
    const label = t('saved_card', { brand: name, last4: card.last4 });
    return {
      value: card.token_id,
      label,
      detail: (
        <small>
          <span class={isPast ? 'past' : ''}>{t(isPast ? 'saved_expired' : 'saved_expires', { date })}</span>
          <Mark name={id} />
        </small>
      ),
      panel: (
        <>
          <SecurityCode checkout={checkout} />
          <RemoveCard key={card.token_id} checkout={checkout} token_id={card.token_id} card={label} />
        </>
      ),
    };
  });
  return (
    <Radios
      name="saved_card"
      legend={t('saved_cards')}
      value={state.token}
      options={[...options, { value: '', label: t('another_card') }]}
      onChoose={(token) => checkout.chooseCard(token)}
    />
  );
}

/** The expiry date as printed on a card, and whether it is past: the shop may still have a newer card for the token. */
function expiryOf({ expiration_month, expiration_year }: SavedCard, now: Date): { date: string; isPast: boolean } {
  const date = `${expiration_month}/${expiration_year.slice(-2)}`;
  return { date, isPast: expiryProblem(date, now) === 'expiry_past' };
}

/**
 * The names by which shops call the brands with a mark, without case and signs, by the mark's id and the brand's name.
 */
const BRANDS: readonly (readonly [id: string, name: string, ...others: string[]])[] = [
  ['visa', 'Visa', 'visaelectron', 'visadebit'],
  ['mastercard', 'Mastercard', 'mc', 'master'],
  ['maestro', 'Maestro'],
  ['amex', 'American Express', 'americanexpress', 'ae'],
  ['diners', 'Diners Club', 'dinersclub', 'dinersclubinternational'],
  ['discover', 'Discover'],
  ['jcb', 'JCB'],
  ['unionpay', 'UnionPay', 'chinaunionpay', 'cup'],
  ['elo', 'Elo'],
  ['hipercard', 'Hipercard'],
  ['mir', 'Mir'],
  ['troy', 'Troy'],
];

/** A brand by the shop's name for it, with its own name and the id of its mark. An unknown brand is shown unchanged. */
function brandNamed(brand: string): { id?: string; name: string } {
  const asked = brand.toLowerCase().replace(/[^a-z]/g, '');
  const [id, name = brand] = BRANDS.find(([known, , ...others]) => [known, ...others].includes(asked)) ?? [];
  return id === undefined ? { name } : { id, name };
}
