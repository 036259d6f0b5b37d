import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MathBN, MedusaError } from '@medusajs/framework/utils';
import { type Client, type OrderPaymentAnswer, RelayRefused, type SessionAnswer, type SessionCreated } from '#client';
import type { Verifier } from '#webhooks';
import { currencyOf, written } from './money.ts';
import { connect, type TurnpikeOptions } from './options.ts';
import { medusaError, notAllowed, notCancellable, refundedElsewhere, refuseUnknownCapture } from './problems.ts';
import { collectionOf, type RowKind } from './rows.ts';
import { type Missing, metadataOf, missingOf, reasonOf } from './sent.ts';
import { createdData, currentData, dataOf, knownData, type SessionData } from './session-data.ts';
import { actionOf, isLive, type Standing, standingOf } from './status.ts';
import { headersOf, sessionOf } from './webhook.ts';

/** The maximum number of orders at the relay for one payment collection. */
const MAX_ORDERS = 20;

/** Takes the payments of Medusa's carts through a Turnpike relay. The number of an order there is the id of Medusa's payment collection. */
export class TurnpikeProvider extends AbstractPaymentProvider<TurnpikeOptions> {
  static override identifier = 'turnpike';

  readonly #client: Client;
  readonly #verify: Verifier;
  readonly #options: TurnpikeOptions;

  constructor(container: Record<string, unknown>, options: TurnpikeOptions) {
    super(container, options);
    const { client, verify } = connect(options);
    this.#client = client;
    this.#verify = verify;
    this.#options = options;
  }

  /** Throws if an option is missing or wrong, when Medusa starts. */
  static override validateOptions(options: Partial<TurnpikeOptions> = {}): void {
    connect({ url: '', apiKey: '', webhookSecret: '', ...options });
  }

  /** Creates the session that the storefront's `<turnpike-checkout>` shows. */
  override async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const { session_id } = input.data ?? {};
    if (typeof session_id !== 'string') throw new MedusaError(MedusaError.Types.INVALID_DATA, 'session_id is missing');
    const currency = currencyOf(input.currency_code);
    const order = { currency, amount: written(input.amount, currency) };
    const { customer, idempotency_key = session_id } = input.context ?? {};
    const create = (order_no: string, idempotencyKey: string): Promise<SessionCreated> =>
      this.#client.sessions.create(
        {
          ...this.#options.session,
          order: {
            ...{ order_no, ...order },
            ...(customer?.email ? { shopper_email: customer.email } : {}),
            ...(customer?.id ? { shopper_id: customer.id } : {}),
          },
          metadata: { medusa_session_id: session_id },
        },
        { idempotencyKey },
      );
    const session = await this.#ask(
      this.#inOrder(await collectionOf(this.container, session_id), idempotency_key, create),
    );
    return { id: session.id, status: 'pending', data: createdData(session, order) };
  }

  /**
   * Creates a session in the order of a payment collection. Its sessions share one order, so that the relay takes one payment of them: it
   * refuses another session while one is being paid. A collection whose payment is refunded or cancelled can be paid by a further order.
   */
  async #inOrder(
    collection: string,
    key: string,
    create: (orderNo: string, idempotencyKey: string) => Promise<SessionCreated>,
  ): Promise<SessionCreated> {
    for (let nth = 1; nth <= MAX_ORDERS; nth++) {
      const orderNo = nth === 1 ? collection : `${collection}-${nth}`;
      try {
        return await create(orderNo, nth === 1 ? key : `${key}-${nth}`);
      } catch (error) {
        if (!(error instanceof RelayRefused && error.code === 'order_already_paid')) throw error;
        const { payments } = await this.#client.orders.reconcile(orderNo);
        if (payments.length === 0 || payments.some(isLive)) throw error;
      }
    }
    throw notAllowed(`${MAX_ORDERS} payments of ${collection} were refunded or cancelled: create a new cart`);
  }

  /** Changes the amount of a session that is not being paid. */
  override async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const before = dataOf(input.data);
    const currency = currencyOf(input.currency_code);
    const order = { currency, amount: written(input.amount, currency) };
    const session = await this.#ask(this.#client.sessions.update(before.id, { order }));
    return { data: currentData({ ...before, ...order }, session) };
  }

  /** Reports a payment as authorized or captured only if the relay does, and only of the amount that Medusa asked for. */
  override async authorizePayment(input: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    return this.getPaymentStatus(input);
  }

  override async getPaymentStatus(input: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const before = dataOf(input.data);
    const { session, status } = await this.#standing(before);
    const isPaid = status === 'authorized' || status === 'captured';
    const isOther = session.currency !== before.currency || !MathBN.eq(session.amount, before.amount);
    if (isPaid && isOther) {
      const sums = `${session.amount} ${session.currency}, not ${before.amount} ${before.currency}`;
      throw notAllowed(`Session ${session.id} was paid with ${sums}: decide by hand whether to accept or refund it`);
    }
    return { status, data: currentData(before, session) };
  }

  override async retrievePayment(input: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const before = dataOf(input.data);
    return { data: currentData(before, await this.#ask(this.#client.sessions.get(before.id))) };
  }

  /**
   * Captures the part of Medusa's capture that the relay has not captured. A capture by an earlier call whose answer was lost, or in the
   * relay's console, counts as captured.
   */
  override async capturePayment({ data, context }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    const before = dataOf(data);
    const payment = await this.#payment(before);
    refuseUnknownCapture(payment);
    const { id, rest } = await this.#missing('capture', context?.idempotency_key, payment);
    if (MathBN.gt(rest, 0)) {
      const body = {
        transaction_id: payment.transaction_id,
        amount: written(rest, before.currency),
        metadata: metadataOf('capture', id),
      };
      await this.#ask(this.#client.orders.capture(before.order_no, body, { idempotencyKey: id }));
    }
    return { data: before };
  }

  /**
   * Refunds the part of Medusa's refund that the relay has not refunded. Medusa deletes a refund whose call failed, also if its outcome
   * was unknown: if it was made after all, the next refund in Medusa counts it as its own. Refunds of other clients do not count
   * while the payment has a refundable rest.
   */
  override async refundPayment({ data, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    const before = dataOf(data);
    const payment = await this.#payment(before);
    if (MathBN.gt(payment.refund_undecided, 0)) {
      throw notAllowed('An earlier refund of this payment has no known outcome yet. Try again later.');
    }
    const { id, note, others, rest } = await this.#missing('refund', context?.idempotency_key, payment);
    if (others.length > 0 && MathBN.gt(rest, payment.refundable)) {
      // Medusa only records a refund of other clients if no money is left: to cancel an order, it refunds all of its payments.
      if (payment.status === 'refunded') return { data: before };
      throw refundedElsewhere(payment, others);
    }
    if (MathBN.gt(rest, 0)) {
      const body = {
        transaction_id: payment.transaction_id,
        amount: written(rest, before.currency),
        reason: reasonOf(note),
        metadata: metadataOf('refund', id),
      };
      await this.#ask(this.#client.orders.refund(before.order_no, body, { idempotencyKey: id }));
    }
    return { data: before };
  }

  /** Cancels an authorised payment, or withdraws a session that is not paid. */
  override async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    const before = knownData(data);
    if (!before) return data ? { data } : {};
    const { session, payment } = await this.#standing(before);
    if (!payment) return { data: await this.#withdraw(before, session) };
    if (payment.status === 'cancelled' || payment.status === 'rejected') return { data: currentData(before, session) };
    refuseUnknownCapture(payment);
    if (payment.status === 'held' || !MathBN.gt(payment.capturable, 0)) throw notCancellable(payment.status);
    // Without a key of Medusa: it would repeat a decline for ever. The relay refuses a second cancellation by itself.
    await this.#ask(this.#client.orders.cancel(before.order_no, { transaction_id: payment.transaction_id }));
    return { data: currentData(before, session) };
  }

  /** Withdraws the session, so that the shopper can no longer pay it. Throws if a payment is in progress, or its money is there. */
  override async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    const before = knownData(data);
    // Medusa passes no data of the provider if it could not store it. Such a session was never shown, and expires.
    if (!before) return data ? { data } : {};
    const { session, payment } = await this.#standing(before);
    if (!payment) return { data: await this.#withdraw(before, session) };
    if (isLive(payment)) throw notAllowed(`Session ${session.id} is paid: complete the cart, or refund the payment`);
    return { data: currentData(before, session) };
  }

  /** Verifies a webhook of the relay, and reports what is true now of the session that it is about. */
  override async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const webhook = await this.#verify(payload.rawData, headersOf(payload.headers));
    const named = sessionOf(webhook);
    if (!named) return { action: 'not_supported' };
    const { session, status } = await this.#standing(named);
    return { action: actionOf(status), data: { session_id: named.medusaSessionId, amount: session.amount } };
  }

  /** The session and its payment as the relay knows them. The relay queries the gateway first, unless that can change nothing. */
  async #standing({ id }: { id: string }): Promise<Standing> {
    const read = await this.#ask(this.#client.sessions.get(id));
    if (['open', 'processing', 'failed', 'expired'].includes(read.status)) return standingOf(read, []);
    const { sessions, payments } = await this.#ask(this.#client.orders.reconcile(read.order_no));
    return standingOf(sessions.find((session) => session.id === id) ?? read, payments);
  }

  async #payment(before: SessionData): Promise<OrderPaymentAnswer> {
    const { payment } = await this.#standing(before);
    if (payment) return payment;
    throw notAllowed(`Session ${before.id} is not paid`);
  }

  async #missing(kind: RowKind, key: string | undefined, payment: OrderPaymentAnswer): Promise<Missing> {
    return this.#ask(missingOf(kind, key, payment, { client: this.#client, container: this.container }));
  }

  /** Throws MedusaError if a payment of the session is in progress, or its outcome is not known. */
  async #withdraw(before: SessionData, session: SessionAnswer): Promise<SessionData> {
    if (session.status === 'failed') return currentData(before, session);
    return currentData(before, await this.#ask(this.#client.sessions.expire(before.id)));
  }

  async #ask<Answer>(call: Promise<Answer>): Promise<Answer> {
    return call.catch((error: unknown) => {
      throw medusaError(error);
    });
  }
}
