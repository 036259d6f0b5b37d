import { operations } from '../../../shared/gateway/operations.ts';
import { type Random, transactionId, unguessable } from '../base/ids.ts';
import { InvalidInput } from '../base/refusals.ts';
import { orderOf, type Payments } from '../books/payments.ts';
import type { IssuerManners } from '../faults/issuer-manners.ts';
import { issuerAddress } from '../issuer/issuer.ts';
import { type Handler, handler } from './handler.ts';

type Surroundings = {
  payments: Payments;
  issuers: IssuerManners;
  now: () => Date;
  random: Random;
  publicUrl: () => string;
};

/** §2.3: opens a payment that its shopper decides on the issuer's page. */
export function apmPayment({ payments, issuers, now, random, publicUrl }: Surroundings): Handler {
  return handler(operations.apm_payment.request, (request) => {
    const { merchant_id, account_id, order_no, amount, currency, payment_method, return_url, notify_url } = request;
    if (return_url && !/^https?:$/.test(URL.parse(return_url)?.protocol ?? '')) {
      throw new InvalidInput('return_url: must be an http or https address');
    }
    const issuer_token = unguessable(random);
    payments.addWithIssuer({
      transaction_id: transactionId(random),
      merchant_id,
      account_id,
      at: now(),
      order: orderOf(request),
      review: 'not_held',
      state: { status: 'undecided' },
      issuer_token,
      manner: issuers.of(order_no),
      payment_method,
      ...(return_url && { return_url }),
      ...(notify_url && { notify_url }),
    });
    const issuer_url = issuerAddress(publicUrl(), issuer_token);
    return { fields: { merchant_id, account_id, order_no, amount, currency, issuer_url } };
  });
}
