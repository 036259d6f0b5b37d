import { toMinor } from '../../../../shared/gateway/amounts.ts';
import type { Step } from '../../steps.ts';
import type { HttpRequest } from '../http/wire.ts';
import { amountOf, currencyOf, orderOf, storedOrder } from '../orders.ts';
import { type Outcome, titleIn } from '../relays.ts';
import type { Scene, ShownOutcome } from '../scene.ts';

type Of<What extends Step['do']> = Extract<Step, { do: What }>;
type OnSession = Of<'abandon' | 'settle' | 'expire' | 'change order'>;

/** The actions of shoppers, and of people who decide about sessions. `at` chooses the relay. */
type Shoppers = {
  create(step: Omit<Of<'create session'>, 'do'>, name: string, at: number): Promise<void>;
  pressPay(step: Of<'press pay'>, name: string, at: number): Promise<void>;
  payFromServer(step: Of<'pay from server'>, name: string, at: number): Promise<void>;
  look(step: Of<'view session' | 'return from issuer' | 'say returned'>, at: number): void;
  decide(step: OnSession, name: string, at: number): void;
};

export function createShoppers(scene: Scene): Shoppers {
  const { world, gateway, relays, apiFor, sessions } = scene;
  const { clock } = world;
  const tell = (told: ShownOutcome): void => {
    for (const listener of scene.onShown) listener(told);
  };

  const ask = async (
    { id, order_no }: Scene['sessions'][number],
    how: 'view' | 'return' | 'say returned',
    at: number,
  ): Promise<void> => {
    const began = world.next();
    const api = apiFor(order_no);
    const http = { view: api.view, return: api.comeBack, 'say returned': api.sayReturned }[how](id);
    const seen = await relays.request(at, { name: `${how} ${id}` }, http);
    // A shopper who reports this in the form sees the form.
    const by = how === 'return' ? how : 'view';
    if (seen.kind === 'answered')
      tell({ ...(by === 'return' ? onPage(seen) : inView(seen)), order_no, session: id, began, by });
  };

  /** A shopper without an amount means the amount of one of the order's attempts. */
  const approveByPerson = async (orderNo: string, transaction: string): Promise<void> => {
    const { attempts } = await storedOrder(scene.store, orderNo);
    const meant = [
      scene.approvedByPerson.get(transaction) ?? 0n,
      ...attempts.map(({ amount, currency }) => toMinor(amount, currency)),
    ];
    scene.approvedByPerson.set(
      transaction,
      meant.reduce((most, one) => (one > most ? one : most)),
    );
  };

  const settle = async (
    { id, order_no }: Scene['sessions'][number],
    { approve, other }: Of<'settle'>,
    ask: (http: HttpRequest) => Promise<Outcome>,
    key: string,
  ): Promise<void> => {
    const own = gateway.books.transactions.filter((one) => (one.order_no === order_no) !== (other === true));
    const paid = own.find(({ status }) => status === 'approved') ?? own[0];
    // Without a record they may still report that it is paid.
    const outcome = approve ? { ...approved, transaction_id: paid?.id ?? `told-${order_no}` } : notPaid;
    if (outcome.outcome === 'approved') await approveByPerson(order_no, outcome.transaction_id);
    await ask(apiFor(order_no).settle(id, { ...outcome, note: 'looked at the books' }, key));
  };
  // A written decision counts, whether the person receives the answer or not.
  scene.onWritten.push((before, { order_no, sessions, decided }) => {
    const isDecided = sessions.some(
      ({ id, settled }) => settled && settled.at !== before.sessions.find((known) => known.id === id)?.settled?.at,
    );
    if (isDecided) scene.decided.set(order_no, decided);
  });
  // Whether the request is answered the first time, or again.
  relays.watch(({ path, body = '{}' }) => {
    const settled = sessions.find(({ id }) => path === `/v1/sessions/${id}/settle`);
    if (!settled) return undefined;
    const { outcome, transaction_id } = JSON.parse(body);
    return async () => {
      // A decision that was refused may be repeated when there are attempts.
      if (outcome === 'approved') await approveByPerson(settled.order_no, transaction_id);
    };
  });

  return {
    async create({ order: number, amount, seconds }, name, at) {
      const order = orderOf(scene, number, amount);
      const made = await relays.request(at, { name }, apiFor(order.order_no).createSession(order, seconds, name));
      if (made.kind === 'answered') sessions.push({ id: String(made.body.id), order_no: order.order_no });
    },
    async pressPay(step, name, at) {
      const session = sessionOf(scene, step);
      if (!session) return;
      const { method, fate, hangsUp } = step;
      const { id, order_no } = session;
      const request = { name, fate, ...(hangsUp ? { hangsUpAt: clock.now() + 100 } : {}) };
      const began = world.next();
      const started = clock.now();
      const shown = await scene.store.sessions.get(id);
      const http = apiFor(order_no).pay(id, order_no, method, shown?.revision ?? 1);
      const paid = await relays.request(at, request, http);
      if (paid.kind === 'problem') {
        const refused = { order_no, session: id, code: paid.code, at: started, owner: paid.owner };
        for (const listener of scene.onRefused) listener(refused);
      }
      if (paid.kind === 'answered') tell({ order_no, session: id, status: String(paid.body.status), began, by: name });
      if (fate.says !== 'redirect' || fate.back === undefined) return;
      const away = fate.tries.reduce((sum, { after }) => sum + after, fate.back);
      clock.at(clock.now() + away, () => void ask(session, 'return', at));
    },
    async payFromServer({ order, amount, method, fate, keyless }, name, at) {
      const body = orderOf(scene, order, amount);
      const began = world.next();
      const http = apiFor(body.order_no).payFromServer(body, method, keyless ? undefined : name);
      const paid = await relays.request(at, { name, fate }, http);
      if (paid.kind !== 'answered') return;
      const [id, status] = [String(paid.body.id), String(paid.body.status)];
      if (!sessions.some((one) => one.id === id)) sessions.push({ id, order_no: body.order_no });
      tell({ order_no: body.order_no, session: id, status, began, by: name });
    },
    look(step, at) {
      const session = sessionOf(scene, step);
      const how = { 'view session': 'view', 'return from issuer': 'return', 'say returned': 'say returned' } as const;
      if (session) void ask(session, how[step.do], at);
    },
    decide(step, name, at) {
      const session = sessionOf(scene, step);
      if (!session) return;
      const { id, order_no } = session;
      const api = apiFor(order_no);
      const ask = (http: HttpRequest): Promise<Outcome> => relays.request(at, { name: `${name} ${step.do}` }, http);
      switch (step.do) {
        case 'abandon':
          void ask(api.abandon(id));
          break;
        case 'settle':
          void settle(session, step, ask, name);
          break;
        case 'expire':
          void ask(api.expire(id, name));
          break;
        case 'change order': {
          const amount = amountOf(currencyOf(order_no), step.amount);
          void ask(api.changeOrder(id, { amount, ...(step.note === undefined ? {} : { note: step.note || null }) }));
        }
      }
    },
  };
}

const approved = { outcome: 'approved' } as const;
const notPaid = { outcome: 'not_paid' } as const;

type Shown = Pick<ShownOutcome, 'status' | 'reason'>;

/** The state that the page after a return shows, or why the order is not paid. */
function onPage({ text }: { text: string }): Shown {
  const notice = titleIn(text) ?? '';
  if (notice === 'order_already_paid') return { status: 'failed', reason: notice };
  return { status: notice === 'confirming' ? 'redirected' : notice };
}

/** The state that a form shows. */
function inView({ body: { status, reason } }: { body: Record<string, unknown> }): Shown {
  return { status: String(status), ...(typeof reason === 'string' ? { reason } : {}) };
}

/** A session of an order, counted back from the latest. */
export function sessionOf(
  { sessions }: Scene,
  { order, session }: { order: number; session: number },
): Scene['sessions'][number] | undefined {
  const own = sessions.filter(({ order_no }) => order_no === `O${order}`).reverse();
  return own[session % Math.max(1, own.length)];
}
