import { toMinor } from '../../../shared/gateway/amounts.ts';
import type { Step } from '../steps.ts';
import { orderOf } from './orders.ts';
import type { Owner } from './owner.ts';
import type { Scene, ShownOutcome } from './scene.ts';

type Of<What extends Step['do']> = Extract<Step, { do: What }>;
type OnSession = Of<'abandon' | 'settle' | 'expire' | 'change order'>;

/** What shoppers do, and those who decide about sessions. `at` chooses the relay. */
type Shoppers = {
  create(step: Omit<Of<'create session'>, 'do'>, name: string, at: number): Promise<void>;
  pressPay(step: Of<'press pay'>, name: string, at: number): Promise<void>;
  payFromServer(step: Of<'pay from server'>, name: string, at: number): Promise<void>;
  look(step: Of<'view session' | 'return from issuer'>, at: number): void;
  decide(step: OnSession, name: string, at: number): void;
};

export function createShoppers(scene: Scene): Shoppers {
  const { world, gateway, relays, sessions } = scene;
  const { clock } = world;
  const tell = (told: ShownOutcome): void => {
    for (const hear of scene.onTold) hear(told);
  };

  const ask = async ({ id, order_no }: Scene['sessions'][number], by: 'view' | 'return', at: number): Promise<void> => {
    const began = world.next();
    const seen = await relays.request(at, { name: `${by} ${id}` }, async (relay) => {
      if (by === 'return') return relay.comeBack(id);
      const { status, ...view } = await relay.view(id);
      return { status, ...('reason' in view && typeof view.reason === 'string' ? { reason: view.reason } : {}) };
    });
    if (seen.kind === 'answered') tell({ ...seen.value, order_no, session: id, began, by });
  };

  /** Whoever names no amount means what one of the order's attempts was to pay. */
  const vouch = async (orderNo: string, transaction: string): Promise<void> => {
    const { attempts } = await scene.store.order('demo', orderNo);
    const meant = [scene.vouched.get(transaction) ?? 0n, ...attempts.map(({ amount }) => toMinor(amount, 'BRL'))];
    scene.vouched.set(
      transaction,
      meant.reduce((most, one) => (one > most ? one : most)),
    );
  };

  return {
    async create({ order, amount, seconds }, name, at) {
      const body = { order: orderOf(scene, order, amount), expires_in: seconds };
      const made = await relays.request(at, { name }, (relay) => relay.createSession(body));
      if (made.kind === 'answered') sessions.push({ id: made.value, order_no: body.order.order_no });
    },
    async pressPay(step, name, at) {
      const session = sessionOf(scene, step);
      if (!session) return;
      const { method, fate, hangsUp } = step;
      const { id, order_no } = session;
      const hangsUpAt = hangsUp ? clock.now() + 100 : Number.POSITIVE_INFINITY;
      const request = { name, fate, hangsUpAt };
      const began = world.next();
      const started = clock.now();
      let owner: Owner | undefined;
      const paid = await relays.request(at, request, (relay, own) => {
        owner = own;
        return relay.pay(id, method, () => clock.now() > hangsUpAt);
      });
      if (paid.kind === 'problem' && owner) {
        const refused = { order_no, session: id, code: paid.code, at: started, owner };
        for (const hear of scene.onRefused) hear(refused);
      }
      if (paid.kind === 'answered') tell({ order_no, session: id, status: paid.value.status, began, by: name });
      if (fate.says !== 'redirect' || fate.back === undefined) return;
      const away = fate.tries.reduce((sum, { after }) => sum + after, fate.back);
      clock.at(clock.now() + away, () => void ask(session, 'return', at));
    },
    async payFromServer({ order, amount, method, fate }, name, at) {
      const body = orderOf(scene, order, amount);
      const began = world.next();
      const paid = await relays.request(at, { name, fate }, (relay) =>
        relay.payFromServer(body, method, name, () => false),
      );
      if (paid.kind !== 'answered') return;
      const { id, status } = JSON.parse(paid.value);
      if (!sessions.some((one) => one.id === id)) sessions.push({ id, order_no: body.order_no });
      tell({ order_no: body.order_no, session: id, status, began, by: name });
    },
    look(step, at) {
      const session = sessionOf(scene, step);
      if (session) void ask(session, step.do === 'view session' ? 'view' : 'return', at);
    },
    decide(step, name, at) {
      const session = sessionOf(scene, step);
      if (!session) return;
      const { id, order_no } = session;
      void relays.request(at, { name: `${name} ${step.do}` }, async (relay) => {
        switch (step.do) {
          case 'abandon':
            await relay.abandon(id);
            return;
          case 'settle': {
            const own = gateway.books.transactions.filter((one) => one.order_no === order_no);
            const paid = own.find(({ status }) => status === 'approved') ?? own[0];
            // Without a record they may still say that it is paid.
            const outcome = step.approve ? { ...approved, transaction_id: paid?.id ?? `${order_no}-told` } : notPaid;
            if (outcome.outcome === 'approved') await vouch(order_no, outcome.transaction_id);
            const { decided } = await relay.settle(id, { ...outcome, note: 'looked at the books' });
            scene.decided.set(order_no, decided);
            return;
          }
          case 'expire':
            await relay.expire(id);
            return;
          case 'change order':
            await relay.changeOrder(id, {
              amount: orderOf(scene, step.order, step.amount).amount,
              ...(step.note === undefined ? {} : { note: step.note || null }),
            });
        }
      });
    },
  };
}

const approved = { outcome: 'approved' } as const;
const notPaid = { outcome: 'not_paid' } as const;

/** A session of an order, counted from the latest on. */
export function sessionOf(
  { sessions }: Scene,
  { order, session }: { order: number; session: number },
): Scene['sessions'][number] | undefined {
  const own = sessions.filter(({ order_no }) => order_no === `O${order}`).reverse();
  return own[session % Math.max(1, own.length)];
}
