import type { Message } from '../../../../shared/gateway/signature.ts';
import type { OperationPlan } from '../../plans.ts';
import type { OrderAction, Step } from '../../steps.ts';
import { REJECTING } from '../config.ts';
import type { Operation as Kind } from '../http/api.ts';
import { accountOf, orderOf } from '../orders.ts';
import type { Intent } from '../owner.ts';
import type { Scene } from '../scene.ts';

/** A request of a shop to move money: its message, or its body for an order, and the keys under which it was sent. */
type MoneyRequest = Intent & { message: Message; isByOrder: boolean; at: number; keys: string[] };

/** A little less than an idempotency key is kept. */
const KEY_LIFE_MS = 6 * 86_400_000;

/** The steps in which a shop requests to move money. */
type MoneyStep = Extract<Step, { do: 'refund' | 'capture' | 'cancel' | 'review' | 'pay out' }>;

/**
 * Requests of shops to move money. Each must be done once, even if it is repeated: a repeated request has the same key, or another key
 * and the same reference.
 */
export function createMoneyRequests(scene: Scene): { ask(step: MoneyStep, name: string): void } {
  const requests = new Map<string, MoneyRequest[]>();
  /** The order of the last request of each kind. */
  const lastOrder = new Map<Kind, string>();

  const draw = scene.world.random('wishes');
  const drawLedger = scene.world.random('captures and reviews');

  /** The item for a payment: some captures are partial, some reviews reject. The refunds of a batch differ. */
  const itemOf = (kind: Kind, payment: Message, part: string | undefined): Message => {
    switch (kind) {
      case 'review':
        return { ...payment, review_flag: drawLedger() < 0.4 ? REJECTING : 'ACCEPT' };
      case 'capture':
        return drawLedger() < 0.6 ? { ...payment, amount: drawLedger() < 0.5 ? '4.00' : '5.00' } : payment;
      case 'refund':
        return { ...payment, refund_amount: part ?? payment.amount };
      default:
        return payment;
    }
  };

  /** Requests something that must be done once. `anew`: a repeated request has another key. */
  const requestOnce = (
    kind: Kind,
    about: string,
    isRepeated: boolean,
    { anew, ...asked }: Omit<MoneyRequest, 'about' | 'at' | 'keys'> & { anew?: true },
  ): void => {
    const at = scene.world.clock.now();
    const made: MoneyRequest = { ...asked, about, at, keys: [asked.id] };
    const known = requests.get(`${kind} ${about}`) ?? [];
    const last = isRepeated ? known.at(-1) : undefined;
    // A payout's request_id and references are stored forever. Without them, a request after the key's time is a new one.
    const isNamed = kind === 'payout' || last?.references !== undefined;
    const before = last && (isNamed || at - last.at < KEY_LIFE_MS) ? last : undefined;
    const wanted = before ?? made;
    if (!before) requests.set(`${kind} ${about}`, [...known, made]);
    const isAnew = before && (anew || (before.references && draw() < 0.5));
    const key = isAnew ? `${before.id} again ${before.keys.length}` : wanted.id;
    if (!wanted.keys.includes(key)) wanted.keys.push(key);
    const api = scene.apiFor(about);
    const { message, isByOrder } = wanted;
    const http = isByOrder ? api.operateOrder(kind, about, message, key) : api.operate(kind, message, key);
    void scene.relays.request(known.length, { name: `${kind} ${wanted.id}`, intent: wanted }, http);
  };

  /** The last payment of an order, by the shop's webhooks. */
  const paymentOf = (order_no: string): Message | undefined => {
    const told = scene.shop.received.findLast(
      ({ type, data }) => type === 'session.approved' && data.order_no === order_no,
    )?.data;
    if (!told) return undefined;
    const { transaction_id, amount, currency } = told;
    return { transaction_id, order_no, amount, currency };
  };

  /** The last payment of another order of the same account, by the shop's webhooks. `at` counts these orders back. */
  const otherPayment = (orderNo: string, at: number): Message | undefined => {
    const told = scene.shop.received.flatMap(({ type, data }) =>
      type === 'session.approved' ? String(data.order_no) : [],
    );
    const orders = [...new Set(told)].filter((one) => one !== orderNo && accountOf(one) === accountOf(orderNo));
    const found = orders.at(-1 - at);
    return found === undefined ? undefined : paymentOf(found);
  };

  const requestBatch = (
    step: { order: number; repeat: boolean; fate: OperationPlan } & OrderAction,
    kind: Kind,
    id: string,
    part: boolean,
  ) => {
    const order_no = (step.repeat && lastOrder.get(kind)) || orderOf(scene, step.order).order_no;
    const payment = paymentOf(order_no);
    if (!payment) return;
    lastOrder.set(kind, order_no);
    const first = itemOf(kind, payment, part || step.fate.more?.some(({ same }) => same) ? '3.00' : undefined);
    if (step.byOrder) {
      const reference = draw() < 0.5 ? id : undefined;
      const message = bodyByOrder(kind, step.byOrder, { payment, item: first, reference });
      const references = reference === undefined ? {} : { references: [reference] };
      requestOnce(kind, order_no, step.repeat, { id, fate: step.fate, message, isByOrder: true, ...references });
      return;
    }
    const others = (step.fate.more ?? []).flatMap((one, at) => {
      const other = one.same ? payment : otherPayment(order_no, at);
      return other ? [{ one, item: itemOf(kind, other, one.same || at > 0 ? PARTS[at] : undefined) }] : [];
    });
    const more = others.map(({ one }) => one);
    const fate = { ...step.fate, more };
    const named = draw() < 0.5 ? { references: [id, ...more.map((_, at) => `${id} ${at + 2}`)] } : {};
    const message = { [`${kind}_orders`]: [first, ...others.map(({ item }) => item)], ...named };
    requestOnce(kind, order_no, step.repeat, { id, fate, message, isByOrder: false, ...named });
  };

  /** Requests a refund that was not made, or not accepted, as a new one. */
  const requestAnew = (order: number, fate: OperationPlan, id: string): void => {
    const { order_no } = orderOf(scene, order);
    const last = requests.get(`refund ${order_no}`)?.at(-1);
    if (!last) return;
    const { references: _, reference: _named, ...message } = last.message;
    const { isByOrder } = last;
    requestOnce('refund', order_no, false, { id, fate: { ...fate, more: last.fate.more ?? [] }, message, isByOrder });
  };

  return {
    ask(step, name) {
      const id = `${name} ${step.do}`;
      switch (step.do) {
        case 'refund':
          return step.anew ? requestAnew(step.order, step.fate, id) : requestBatch(step, step.do, id, step.part);
        case 'capture':
        case 'cancel':
        case 'review':
          return requestBatch(step, step.do, id, false);
        case 'pay out': {
          const request_id = `00000000-0000-4000-8000-${name.replace(/\D/g, '').padStart(12, '0')}`;
          const message = { request_id, payment_amount: '5.00', payment_currency: 'BRL', beneficiary_id: 'b1' };
          const anew = step.anew ? { anew: step.anew } : {};
          return requestOnce('payout', 'O0', step.repeat, { id, fate: step.fate, message, isByOrder: false, ...anew });
        }
      }
    },
  };
}

/** The amounts of the second and third refund in a batch. The items of a batch differ. */
const PARTS = ['2.00', '1.00'];

/** The body of an operation by the order. An operation on the whole payment has no amount. */
function bodyByOrder(
  kind: Kind,
  how: OrderAction['byOrder'],
  { payment, item, reference }: { payment: Message; item: Message; reference: string | undefined },
): Message {
  const { amount = payment.amount } = kind === 'refund' ? { amount: item.refund_amount } : item;
  return {
    ...(how === 'named' ? { transaction_id: payment.transaction_id } : {}),
    ...(amount === payment.amount ? {} : { amount }),
    ...(kind === 'refund' ? { reason: 'returned' } : {}),
    ...(kind === 'review' ? { decision: item.review_flag === REJECTING ? 'reject' : 'accept' } : {}),
    ...(reference === undefined ? {} : { reference }),
  };
}
