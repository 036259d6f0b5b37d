import type { Message } from '../../../shared/gateway/signature.ts';
import type { OrderBody } from '../relay.ts';
import type { EffectFate, Step } from '../steps.ts';
import type { Intent } from './owner.ts';
import type { Scene, Told } from './scene.ts';

type Of<What extends Step['do']> = Extract<Step, { do: What }>;

/** What shops and shoppers of a world do, step by step. They do not wait for what it leads to. */
export type Actors = { act(step: Step, number: number): void };

const AMOUNTS = ['10.00', '12.50', '99.90'];

/** A shop's wish for an effect, with the message that asks for it. */
type Wish = Intent & { message: Message };

export function createActors(scene: Scene): Actors {
  const { world, gateway, relays, sessions } = scene;
  const { clock } = world;
  const wishes = new Map<string, Wish[]>();
  const orderOf = (order: number, amount: number): OrderBody => {
    const order_no = `O${(order % 3) + 1}`;
    scene.orders.add(order_no);
    return { order_no, amount: AMOUNTS[amount % AMOUNTS.length] ?? '10.00', currency: 'BRL' };
  };
  const sessionOf = (number: number) => sessions[number % Math.max(1, sessions.length)];
  const later = (ms: number, run: () => void): void => (ms === 0 ? run() : clock.at(clock.now() + ms, run));

  /** A shopper asks about a session, and is told. */
  const look = async (at: number, number: number, by: 'view' | 'return'): Promise<void> => {
    const session = sessionOf(number);
    if (!session) return;
    const { id, order_no } = session;
    const began = world.next();
    const seen = await relays.request(at, { name: `${by} ${id}` }, async (relay) => {
      if (by === 'return') return { status: await relay.comeBack(id) };
      const { status, ...view } = await relay.view(id);
      return { status, ...('reason' in view && typeof view.reason === 'string' ? { reason: view.reason } : {}) };
    });
    if (seen.kind === 'answered') tell({ ...seen.value, order_no, session: id, began, by });
  };
  const tell = (told: Told): void => {
    for (const hear of scene.onTold) hear(told);
  };

  const pressPay = async ({ method, fate, hangsUp }: Of<'press pay'>, number: number, name: string, at: number) => {
    const session = sessionOf(number);
    if (!session) return;
    const { id, order_no } = session;
    const end = hangsUp ? clock.now() + 100 : Number.POSITIVE_INFINITY;
    const began = world.next();
    const paid = await relays.request(at, { name, fate }, (relay) => relay.pay(id, method, () => clock.now() > end));
    if (paid.kind === 'answered') tell({ order_no, session: id, status: paid.value.status, began, by: name });
    if (fate.says !== 'redirect' || fate.back === undefined) return;
    const away = fate.tries.reduce((sum, { after }) => sum + after, fate.back);
    later(away, () => void look(at, number, 'return'));
  };

  const payFromServer = async ({ order, amount, method, fate }: Of<'pay from server'>, name: string, at: number) => {
    const body = orderOf(order, amount);
    const began = world.next();
    const paid = await relays.request(at, { name, fate }, (relay) => relay.payFromServer(body, method, name));
    if (paid.kind !== 'answered') return;
    const { id, status } = JSON.parse(paid.value);
    if (!sessions.some((one) => one.id === id)) sessions.push({ id, order_no: body.order_no });
    tell({ order_no: body.order_no, session: id, status, began, by: name });
  };

  const wish = (kind: 'refund' | 'capture' | 'cancel' | 'payout', about: string, again: boolean, made: Wish): void => {
    const known = wishes.get(`${kind} ${about}`) ?? [];
    const before = again ? known.at(-1) : undefined;
    const wanted = before ?? made;
    if (!before) wishes.set(`${kind} ${about}`, [...known, made]);
    void relays.request(known.length, { name: `${kind} ${wanted.id}`, intent: wanted }, (relay) =>
      relay.operate(kind, wanted.message, wanted.id),
    );
  };

  /** What the shop knows of a payment of an order, and wants done with it. */
  const paymentOf = (order_no: string): Message | undefined => {
    const told = scene.shop.heard.findLast(
      ({ type, data }) => type === 'session.approved' && data.order_no === order_no,
    )?.data;
    if (!told) return undefined;
    const { transaction_id, amount, currency } = told;
    return { transaction_id, order_no, amount, currency };
  };
  const batch = (
    kind: 'refund' | 'capture' | 'cancel',
    step: { order: number; repeat: boolean; fate: EffectFate },
    id: string,
    more: Message,
  ) => {
    const { order_no } = orderOf(step.order, 0);
    const payment = paymentOf(order_no);
    if (!payment) return;
    wish(kind, order_no, step.repeat, {
      id,
      fate: step.fate,
      message: { [`${kind}_orders`]: [{ ...payment, ...more }] },
    });
  };

  const act = (step: Step, number: number): void => {
    const name = `step ${number}`;
    switch (step.do) {
      case 'create session': {
        const order = orderOf(step.order, step.amount);
        const body = { order, expires_in: step.seconds };
        void relays
          .request(number, { name: `${name} create session` }, (relay) => relay.createSession(body))
          .then((made) => {
            if (made.kind === 'answered') sessions.push({ id: made.value, order_no: order.order_no });
          });
        return;
      }
      case 'press pay':
        for (let n = 0; n < step.presses; n++) {
          later(n * step.gap, () => void pressPay(step, step.session, `${name} pay`, number + n));
        }
        return;
      case 'pay from server':
        for (let n = 0; n < step.requests; n++)
          later(n * 900, () => void payFromServer(step, `${name} server`, number + n));
        return;
      case 'view session':
        return void look(number, step.session, 'view');
      case 'return from issuer':
        return void look(number, step.session, 'return');
      case 'abandon':
      case 'settle':
      case 'expire':
      case 'change order':
        return onSession(step, name, number);
      case 'reconcile': {
        const { order_no } = orderOf(step.order, 0);
        return void relays.request(number, { name: `${name} reconcile` }, async (relay) => relay.reconcile?.(order_no));
      }
      case 'forge notification': {
        const session = sessionOf(step.session);
        for (let n = 0; session && n < step.times; n++) {
          later(n * 150, () => scene.notifications.send(session.id, `forged ${number} ${n}`));
        }
        return;
      }
      case 'book foreign record': {
        const { order_no, amount, currency } = orderOf(step.order, step.amount);
        const dated = clock.now() + step.minutes * 60_000;
        const visibleAt = clock.now();
        gateway.books.add({ order_no, amount, currency, dated, visibleAt, twice: false, notices: [] }, step.book);
        return;
      }
      case 'break gateway':
        Object.assign(gateway.weather, { what: step.what, how: step.how, until: clock.now() + step.ms });
        return;
      case 'spoil records':
        gateway.spoiled.set(orderOf(step.order, 0).order_no, { how: step.how, until: clock.now() + step.ms });
        return;
      case 'break store':
        Object.assign(relays.trouble, { how: step.how, calls: step.calls });
        return;
      case 'break shop':
        Object.assign(scene.shop.trouble, { how: step.how, until: clock.now() + step.ms });
        return;
      case 'kill relay':
        return relays.kill(step.relay, { calls: step.calls, effect: step.effect }, step.downMs);
      case 'refund': {
        const amount = step.part ? { refund_amount: '3.00' } : {};
        const full = paymentOf(orderOf(step.order, 0).order_no)?.amount;
        return batch('refund', step, `${name} refund`, { refund_amount: full, ...amount });
      }
      case 'capture':
      case 'cancel':
        return batch(step.do, step, `${name} ${step.do}`, {});
      case 'pay out': {
        const request_id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
        const message = { request_id, payment_amount: '5.00', payment_currency: 'BRL', beneficiary_id: 'b1' };
        return wish('payout', 'payouts', step.repeat, { id: `${name} payout`, fate: step.fate, message });
      }
      case 'wait':
        return;
    }
  };

  const onSession = (
    step: Of<'abandon' | 'settle' | 'expire' | 'change order'>,
    name: string,
    number: number,
  ): void => {
    const session = sessionOf(step.session);
    if (!session) return;
    const { id, order_no } = session;
    void relays.request(number, { name: `${name} ${step.do}` }, async (relay) => {
      switch (step.do) {
        case 'abandon':
          await relay.abandon?.(id);
          scene.abandoned.set(order_no, world.next());
          return;
        case 'settle': {
          const truth = gateway.books.transactions.find(
            (one) => one.order_no === order_no && one.status === 'approved',
          );
          const note = 'looked at the books';
          if (step.approve && !truth) return;
          await relay.settle?.(
            id,
            step.approve && truth
              ? { outcome: 'approved', transaction_id: truth.id, note }
              : { outcome: 'not_paid', note },
          );
          scene.settled.set(order_no, world.next());
          return;
        }
        case 'expire':
          return relay.expire?.(id);
        case 'change order':
          return relay.changeOrder(id, AMOUNTS[step.amount % AMOUNTS.length] ?? '10.00');
      }
    });
  };

  return { act };
}
