import type { PaymentPlan, Phase, Standing } from '../../plans.ts';
import type { World } from '../world.ts';
import type { LocalDates } from './local-dates.ts';

/** The gateway's codes of a payment in the simulation's profile, which does not list the last one. */
export const paymentStatus = { approved: '3000', declined: '4100', pending: '2000', unlisted: '7777' } as const;

/** The codes of an approved payment that is held for a review, or reversed. */
export const standingStatus = { approved: '3000', held: '2900', reversed: '5000' } as const;

/** A contract of a payment: whether its answer or only its record shows it, and its later charges. */
type Contract = { told: NonNullable<PaymentPlan['contract']>; later: NonNullable<PaymentPlan['later']> };

/** The contract's own name, once its payment has one. */
export const recurringIdOf = ({ id, laterOf }: Pick<Transaction, 'id' | 'laterOf'>): string => `R-${laterOf ?? id}`;

/** A transaction in the gateway's records. */
export type Transaction = {
  id: string;
  order_no: string;
  amount: string;
  currency: string;
  status: Phase['status'];
  /**
   * The status in its records: the present one, or the previous one until `changesLate` milliseconds after a change.
   */
  listed: Phase['status'];
  /** Its status after its approval. */
  standing: Standing['is'];
  changesLate?: number;
  /** The time at which its records show its last change. */
  changedAt?: number;
  /** Its date, and the moment that a relay reads from it. */
  dated: number;
  read: number;
  visibleAt: number;
  twice: boolean;
  /** Its records contain its id only while they are declined or pending. */
  nameless?: boolean;
  /** Its contract. For a later charge: the transaction that began the contract. */
  contract?: Contract;
  laterOf?: string;
  /** The session and the attempt of the payment; undefined for one of another channel. */
  session?: string;
  attempt?: string;
  notices: PaymentPlan['notices'];
  /** A relay received a signed decline as the answer to its payment. */
  declined: boolean;
  /** A relay knows that it is paid: by a notification that it acknowledged, or by a query that counts. */
  announced: boolean;
  shown: boolean;
  /** Its records showed that within an hour of the notification. */
  listedSoon?: boolean;
};

/** One record of a query's answer (§2.4). */
export type BookRecord = {
  order_no: string;
  amount: string;
  currency: string;
  transaction_id: string | object;
  payment_status: string;
  transaction_date: string;
  /** Identifies its transaction, if its transaction_id does not. */
  reference_no?: string;
  subscription_result?: { recurring_id: string };
};

type Known = 'declined' | 'announced' | 'shown';

export type Books = {
  transactions: Transaction[];
  add(
    transaction: Omit<Transaction, 'id' | 'status' | 'listed' | 'standing' | 'read' | Known>,
    phases: readonly Phase[],
    life?: readonly Standing[],
  ): Transaction;
  turn(transaction: Transaction, status: Phase['status']): void;
  /** Calls the listener with each new transaction, and with each whose status changed. */
  onChange(listener: (transaction: Transaction) => void): void;
  /** The records that a query shows of an order now. */
  visible(orderNo: string): Transaction[];
};

export function createBooks({ clock, say }: World, dates: LocalDates): Books {
  const transactions: Transaction[] = [];
  const listeners: ((transaction: Transaction) => void)[] = [];
  const tell = (transaction: Transaction): void => {
    clock.stir();
    say(`gateway: ${transaction.id} of ${transaction.order_no} is ${transaction.status}`);
    for (const listener of listeners) listener(transaction);
  };
  const books: Books = {
    transactions,
    add(given, [first, ...later], life = []) {
      const status = first?.status ?? 'declined';
      const transaction = {
        ...given,
        id: `T${transactions.length + 1}`,
        status,
        listed: status,
        standing: life[0]?.after === 0 ? life[0].is : ('approved' as const),
        read: dates.read(given.dated),
        declined: false,
        announced: false,
        shown: false,
      };
      transactions.push(transaction);
      tell(transaction);
      let at = clock.now();
      for (const { after, is } of life) {
        at += after;
        if (at === clock.now()) continue;
        clock.at(at, () => {
          transaction.standing = is;
          tell(transaction);
        });
      }
      for (const phase of later) clock.at(clock.now() + phase.after, () => books.turn(transaction, phase.status));
      return transaction;
    },
    turn(transaction, status) {
      if (transaction.status === status) return;
      transaction.status = status;
      const { changesLate = 0 } = transaction;
      transaction.changedAt = clock.now() + changesLate;
      if (changesLate === 0) transaction.listed = status;
      else clock.at(clock.now() + changesLate, () => Object.assign(transaction, { listed: status }));
      tell(transaction);
    },
    onChange: (listener) => void listeners.push(listener),
    visible: (orderNo) => transactions.filter((one) => one.order_no === orderNo && one.visibleAt <= clock.now()),
  };
  return books;
}

/** Whether a query shows a transaction as approved now. */
export function isListedPaid({ clock }: Pick<World, 'clock'>, { listed, standing, visibleAt }: Transaction): boolean {
  return listed === 'approved' && standing !== 'reversed' && visibleAt <= clock.now();
}

/** The transaction that a record shows. */
export function transactionOf(books: Books, { transaction_id, reference_no }: BookRecord): Transaction | undefined {
  return books.transactions.find(({ id }) => id === (reference_no ?? transaction_id));
}

/** The records that show transactions, in the form of §2.4. */
export function recordsOf(transactions: readonly Transaction[], dates: LocalDates): BookRecord[] {
  return transactions.flatMap((transaction) => {
    const { id, order_no, amount, currency, listed, standing, dated, twice, contract, laterOf } = transaction;
    const isNameless = transaction.nameless && (listed === 'approved' || listed === 'unlisted');
    const isOfContract = listed === 'approved' && (contract !== undefined || laterOf !== undefined);
    const record = {
      order_no,
      amount,
      currency,
      transaction_id: isNameless ? '' : id,
      payment_status: listed === 'approved' ? standingStatus[standing] : paymentStatus[listed],
      transaction_date: dates.write(dated),
      ...(isNameless ? { reference_no: id } : {}),
      ...(isOfContract ? { subscription_result: { recurring_id: recurringIdOf(transaction) } } : {}),
    };
    return twice ? [record, record] : [record];
  });
}
