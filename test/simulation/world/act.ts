import type { Step } from '../steps.ts';
import { orderOf } from './orders.ts';
import { dealWithFailed, readAcknowledged } from './people/failed-events.ts';
import { createMoneyRequests } from './people/money-requests.ts';
import { createOperationDecisions } from './people/operation-decisions.ts';
import { createRepeats } from './people/repeats.ts';
import { createShoppers, sessionOf } from './people/shoppers.ts';
import type { Scene } from './scene.ts';

/** Carries out one step, without waiting for its consequences. */
type Act = (step: Step, number: number) => void;

/** Carries out the steps of a history: the actions of people and the failures. */
export function createAct(scene: Scene): Act {
  const { world, gateway, relays, apiFor, shop, notifications } = scene;
  const { clock } = world;
  gateway.watch({
    received({ name, owner: { request } }) {
      const calls = name === 'query' ? undefined : request?.fate?.unstored;
      if (calls) Object.assign(relays.trouble, { how: 'not written', calls });
    },
  });
  readAcknowledged(scene);
  const shoppers = createShoppers(scene);
  const moneyRequests = createMoneyRequests(scene);
  const repeats = createRepeats(scene);
  const operationDecisions = createOperationDecisions(scene);
  /** Runs a function several times, `gap` milliseconds apart. */
  const times = (count: number, gap: number, run: (n: number) => unknown): void => {
    for (let n = 0; n < count; n++) clock.at(clock.now() + n * gap, () => void run(n));
  };

  return (step, number) => {
    const name = `step ${number}`;
    switch (step.do) {
      case 'create session':
        void shoppers.create(step, `${name} create session`, number);
        break;
      case 'buy':
        void shoppers.create({ ...step, seconds: 86_400 }, `${name} create session`, number).then(() => {
          const presses = { ...step, do: 'press pay' as const, session: 0, hangsUp: false };
          times(step.presses, step.gap, (n) => shoppers.pressPay(presses, `${name} pay`, number + n));
        });
        break;
      case 'press pay':
        times(step.presses, step.gap, (n) => shoppers.pressPay(step, `${name} pay`, number + n));
        break;
      case 'pay from server':
        times(step.requests, 900, (n) => shoppers.payFromServer(step, `${name} pay from server`, number + n));
        break;
      case 'repeat request':
      case 'repeat decision':
        repeats.ask(step, number);
        break;
      case 'view session':
      case 'return from issuer':
      case 'say returned':
        shoppers.look(step, number);
        break;
      case 'abandon':
      case 'settle':
      case 'expire':
      case 'change order':
        shoppers.decide(step, name, number);
        break;
      case 'reconcile': {
        const { order_no } = orderOf(scene, step.order);
        void relays.request(number, { name: `${name} reconcile` }, apiFor(order_no).reconcile(order_no));
        break;
      }
      case 'forge notification': {
        const session = sessionOf(scene, step);
        if (session) times(step.times, 150, (n) => notifications.send(session, `forged ${number} ${n}`));
        break;
      }
      case 'book foreign record': {
        const order = orderOf(scene, step.order, step.amount);
        const dated = clock.now() + step.minutes * 60_000;
        const nameless = step.nameless ?? false;
        const currency = step.isForeign ? 'USD' : order.currency;
        const foreign = { ...order, currency, dated, visibleAt: clock.now(), twice: false, nameless, notices: [] };
        gateway.books.add(foreign, step.book);
        break;
      }
      case 'break gateway':
        Object.assign(gateway.outage, { what: step.what, how: step.how, until: clock.now() + step.ms });
        break;
      case 'spoil records':
        gateway.spoiled.set(orderOf(scene, step.order).order_no, { how: step.how, until: clock.now() + step.ms });
        break;
      case 'break store':
        Object.assign(relays.trouble, { how: step.how, calls: step.calls });
        break;
      case 'break shop':
        Object.assign(shop.trouble, { how: step.how, until: clock.now() + step.ms });
        break;
      case 'kill relay':
        relays.kill(step.relay, { calls: step.calls, effect: step.effect }, step.downMs);
        break;
      case 'change config':
        scene.settings.change(step.what);
        relays.restart(step.downMs);
        break;
      case 'cut off':
        relays.cutOff(step.relay, step.ms);
        break;
      case 'settle operation':
        void operationDecisions.settle(step, name);
        break;
      case 'failed webhooks':
        void dealWithFailed(scene, step.what, number, name);
        break;
      case 'step clock':
        relays.clocks.step(step.relay, step.ms);
        break;
      case 'refund':
      case 'capture':
      case 'cancel':
      case 'review':
      case 'pay out':
        moneyRequests.ask(step, name);
        break;
      case 'wait':
    }
  };
}
