import type { OperationName } from '../../../shared/gateway/operations.ts';
import type { Clock } from '../base/clock.ts';
import type { Random } from '../base/ids.ts';
import type { Books } from '../books/books.ts';
import type { RegisteredAddresses } from '../books/registered-addresses.ts';
import type { AnswerStyles } from '../faults/answer-style.ts';
import type { IssuerManners } from '../faults/issuer-manners.ts';
import type { Notify } from '../notifications/notices.ts';
import { apmPayment } from './apm-payment.ts';
import { cancel } from './cancel.ts';
import { capture } from './capture.ts';
import { directPayment } from './direct-payment.ts';
import type { Handler } from './handler.ts';
import { payout } from './payout.ts';
import { query } from './query.ts';
import { refund, refundSearch } from './refund.ts';
import { review } from './review.ts';
import { subscriptionCancel } from './subscription-cancel.ts';

type Surroundings = {
  books: Books;
  issuers: IssuerManners;
  registeredAddresses: RegisteredAddresses;
  styles: AnswerStyles;
  clock: Clock;
  random: Random;
  publicUrl: () => string;
  notify: Notify;
};

/** What the gateway does about a message of each operation. */
export function handlersOf(surroundings: Surroundings): Record<OperationName, Handler> {
  const { books, issuers, registeredAddresses, styles, clock, random, publicUrl, notify } = surroundings;
  const { payments, refunds, contracts, payouts } = books;
  const now = () => clock.now();
  return {
    direct_payment: directPayment({ payments, contracts, now, random }),
    apm_payment: apmPayment({ payments, issuers, now, random, publicUrl }),
    query: query({ payments, registeredAddresses, styles }),
    refund: refund({ payments, refunds, now, notify }),
    refund_search: refundSearch({ refunds }),
    review: review({ payments, contracts }),
    capture: capture({ payments }),
    cancel: cancel({ payments, refunds, contracts }),
    subscription_cancel: subscriptionCancel({ contracts }),
    payout: payout({ payouts, clock, random, notify }),
  };
}
