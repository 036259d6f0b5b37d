import type { Message } from '../../../shared/gateway/signature.ts';
import type { EffectFate, Step } from '../steps.ts';
import type { Operation as Kind } from './http/api.ts';
import { orderOf } from './orders.ts';
import type { Intent } from './owner.ts';
import type { Scene } from './scene.ts';

/** A shop's wish for an effect, with the message that asks for it, and the keys that it was asked under. */
type Wish = Intent & { message: Message; at: number; keys: string[] };

/** A little less than an idempotency key is kept. */
const KEY_LIFE_MS = 6 * 86_400_000;

/** The steps in which a shop wants money moved. */
type WishStep = Extract<Step, { do: 'refund' | 'capture' | 'cancel' | 'pay out' }>;

/**
 * What a shop wants done with money, each once, however often it asks: a repeated request has the same key, or the same
 * reference under another one.
 */
export function createWishes(scene: Scene): { ask(step: WishStep, name: string): void } {
  const wishes = new Map<string, Wish[]>();
  /** The order that each kind was asked for last. */
  const lastOrder = new Map<Kind, string>();

  const draw = scene.world.random('wishes');

  const want = (kind: Kind, about: string, isRepeated: boolean, asked: Omit<Wish, 'at' | 'keys'>): void => {
    const at = scene.world.clock.now();
    const made: Wish = { ...asked, at, keys: [asked.id] };
    const known = wishes.get(`${kind} ${about}`) ?? [];
    const last = isRepeated ? known.at(-1) : undefined;
    // A payout's request_id and a reference are remembered for good; whoever asks without one again later has forgotten that they did.
    const isNamed = kind === 'payout' || last?.references !== undefined;
    const before = last && (isNamed || at - last.at < KEY_LIFE_MS) ? last : undefined;
    const wanted = before ?? made;
    if (!before) wishes.set(`${kind} ${about}`, [...known, made]);
    const key = before?.references && draw() < 0.5 ? `${before.id} again ${before.keys.length}` : wanted.id;
    if (!wanted.keys.includes(key)) wanted.keys.push(key);
    const http = scene.apiFor(about).operate(kind, wanted.message, key);
    void scene.relays.request(known.length, { name: `${kind} ${wanted.id}`, intent: wanted }, http);
  };

  /** What the shop knows of the last payment of an order. */
  const paymentOf = (order_no: string): Message | undefined => {
    const told = scene.shop.heard.findLast(
      ({ type, data }) => type === 'session.approved' && data.order_no === order_no,
    )?.data;
    if (!told) return undefined;
    const { transaction_id, amount, currency } = told;
    return { transaction_id, order_no, amount, currency };
  };

  const wantBatch = (
    step: { order: number; repeat: boolean; fate: EffectFate },
    kind: Kind,
    id: string,
    part: boolean,
  ) => {
    const order_no = (step.repeat && lastOrder.get(kind)) || orderOf(scene, step.order).order_no;
    const payment = paymentOf(order_no);
    if (!payment) return;
    lastOrder.set(kind, order_no);
    const refund = kind === 'refund' ? { refund_amount: part ? '3.00' : payment.amount } : {};
    const named = draw() < 0.5 ? { references: [id] } : {};
    const message = { [`${kind}_orders`]: [{ ...payment, ...refund }], ...named };
    want(kind, order_no, step.repeat, { id, fate: step.fate, message, ...named });
  };

  return {
    ask(step, name) {
      const id = `${name} ${step.do}`;
      switch (step.do) {
        case 'refund':
          return wantBatch(step, step.do, id, step.part);
        case 'capture':
        case 'cancel':
          return wantBatch(step, step.do, id, false);
        case 'pay out': {
          const request_id = `00000000-0000-4000-8000-${name.replace(/\D/g, '').padStart(12, '0')}`;
          const message = { request_id, payment_amount: '5.00', payment_currency: 'BRL', beneficiary_id: 'b1' };
          return want('payout', 'O0', step.repeat, { id, fate: step.fate, message });
        }
      }
    },
  };
}
