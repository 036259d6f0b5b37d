import type { CreateSession, InstallmentOption, Order, PaymentMethod } from '../../../shared/checkout/session.ts';
import { inCurrency, isZero } from '../../../shared/gateway/amounts.ts';
import { encodeItems, ItemsError } from '../../../shared/gateway/items.ts';
import { ProblemError } from '../../base/errors.ts';
import type { Account } from '../../config/load.ts';
import { unlistable } from '../../gateway/wire-forms.ts';
import type { Session } from '../../payments/session.ts';
import type { Context } from '../../store/context.ts';
import { withoutCards } from '../fields/filled.ts';
import { isAllowedReturnUrl } from '../return-url.ts';

/** How long a session can be paid, where the shop says nothing. */
export const DEFAULT_LIFE_SECONDS = 86_400;

/** A new session of one order (`POST /v1/sessions`), not yet stored. Throws ProblemError. */
export function newSession(context: Context, account: Account, body: CreateSession): Session {
  checkOrder(context, account, body.order, { return_url: body.return_url, under: 'order.' });
  checkPlans(body.installment_options, body.order.currency);
  checkZero(body.order, body.payment_methods);
  const order = withoutCards(body.order);
  const now = context.now();
  const { payment_methods, installment_options, saved_cards, save_card, collect, return_url, locale, expires_in } =
    body;
  return {
    id: context.newId('cs'),
    account: account.id,
    order_no: order.order_no,
    created_at: now.toISOString(),
    expires_at: new Date(now.getTime() + (expires_in ?? DEFAULT_LIFE_SECONDS) * 1000).toISOString(),
    revision: 1,
    version: 1,
    terms: {
      order,
      methods: payment_methods ?? [{ type: 'card' }],
      installment_options: installment_options ?? [],
      saved_cards: saved_cards ?? [],
      ...(save_card === undefined ? {} : { keeps_cards: true }),
      collect: collect ?? [],
      ...(return_url === undefined ? {} : { return_url }),
      ...(locale === undefined ? {} : { locale }),
    },
    state: { status: 'open' },
  };
}

/**
 * Checks of an order what no schema can: that it can be queried, encoded and returned from. `under` is the path of its
 * fields in the request. Throws ProblemError.
 */
export function checkOrder(
  context: Context,
  account: Account,
  order: Pick<Order, 'order_no' | 'items'>,
  { return_url, under }: { return_url: string | undefined; under: 'order.' | '' },
): void {
  const separator = context.config.gateway.profile.list_separator;
  if (unlistable([order.order_no, order.order_no], separator) >= 0) {
    refuse(`${under}order_no`, `must not contain "${separator}", which separates orders in a query`);
  }
  if (return_url !== undefined && !isAllowedReturnUrl(return_url, account.return_urls)) {
    refuse('return_url', 'must lie under one of the return_urls of the relay’s configuration');
  }
  try {
    encodeItems(order.items ?? []);
  } catch (error) {
    if (!(error instanceof ItemsError)) throw error;
    refuse(`${under}items`, `cannot be sent: ${error.message}`);
  }
}

/** Checks that what each plan costs has no more decimals than the order's currency. Throws ProblemError. */
export function checkPlans(plans: readonly InstallmentOption[] = [], currency: string): void {
  for (const [at, { each = '0', total = '0' }] of plans.entries()) {
    for (const [name, amount] of Object.entries({ each, total })) {
      if (inCurrency(amount, currency) !== undefined) continue;
      refuse(`installment_options.${at}.${name}`, `has more decimals than ${currency}`);
    }
  }
}

/** Checks that an amount of nothing is paid by card alone: only a card can be checked or kept. Throws ProblemError. */
export function checkZero({ amount }: Pick<Order, 'amount'>, methods: readonly PaymentMethod[] = []): void {
  if (!isZero(amount) || methods.every(({ type }) => type === 'card')) return;
  refuse('order.amount', 'must be more than zero where an alternative method may pay');
}

function refuse(path: string, message: string): never {
  throw new ProblemError('invalid_request', `Correct ${path}: it ${message}.`, { errors: [{ path, message }] });
}
