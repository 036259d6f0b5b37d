import type { Config } from '../../../relay/config/load.ts';
import type { Signer } from '../../../relay/gateway/signing/signer.ts';
import type { StoredOperation } from '../../../relay/payments/operations/operation.ts';
import type { SeenRecord, StoredOrder } from '../../../relay/payments/order.ts';
import type { OrderKey } from '../../../relay/store/facets/orders.ts';
import type { NewEvent } from '../../../relay/store/facets/outbox.ts';
import type { Store } from '../../../relay/store/store.ts';
import type { GatewayVariant } from '../gateway-variant.ts';
import type { Clock } from './clock.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { startOf } from './gateway/local-dates.ts';
import { createNotifications, type Notifications } from './gateway/notifications.ts';
import { type Api, apiOf } from './http/api.ts';
import { accountOf, nameIn } from './orders.ts';
import type { Owner } from './owner.ts';
import { createShop, type Shop } from './people/shop.ts';
import type { Failing } from './relay-process.ts';
import { createRelays, type Relays } from './relays.ts';
import { createSettings, type Settings } from './settings.ts';
import { createWorld, type World } from './world.ts';

/** The reports about a session, each with the number of its event. */
export type ShownOutcome = {
  order_no: string;
  session: string;
  status: string;
  reason?: string;
  began: number;
  by: string;
};

/** A refused payment request of a shopper, and its time. */
export type Refused = { order_no: string; session: string; code: string; at: number; owner: Owner };

type Begun = (operation: StoredOperation) => void;
type Written = (before: StoredOrder, after: StoredOrder, events: readonly NewEvent[]) => void;

/** Listeners to the writes of relays. `unwritten`: the store wrote nothing of this order. */
type StoreListeners = {
  begun: readonly Begun[];
  written: readonly Written[];
  finished: readonly Begun[];
  unwritten(store: Store, order: OrderKey): Promise<void>;
};

/** Everything in one simulated world. */
export type Scene = {
  world: World;
  gateway: Gateway;
  relays: Relays;
  settings: Settings;
  /** The requests about an order of its account. */
  apiOf: (account: string) => Api;
  apiFor: (orderNo: string) => Api;
  shop: Shop;
  notifications: Notifications;
  /** The real store, without gates and failures. */
  store: Store;
  /** When it began. */
  started: number;
  /** The sessions whose creation was answered, oldest first. */
  sessions: { id: string; order_no: string }[];
  /** Every order_no that was used. */
  orders: Set<string>;
  /** Called with each outcome that a shopper or a shop receives. */
  onShown: ((told: ShownOutcome) => void)[];
  /** Called with each refused request to pay. */
  onRefused: ((refused: Refused) => void)[];
  /** Called with each operation that is stored before it is sent. */
  onBegun: Begun[];
  /** Called with each written change of an order. */
  onWritten: Written[];
  /** Called with each written change of an operation. */
  onFinished: Begun[];
  /** The records that a person decided about, by their orders. */
  decided: Map<string, readonly SeenRecord[]>;
  /** The transactions that a person reported as approved, and the maximum hundredths of their meant amounts. */
  approvedByPerson: Map<string, bigint>;
  /** The attempts that the request `abandon` abandoned. */
  givenUp: Set<string>;
};

type SceneParts = {
  clock: Clock;
  seed: number;
  relays: number;
  variant?: GatewayVariant;
  config: Config;
  signer: Signer;
  store: Store;
  /** Opens a relay's store at its start. */
  openStore: () => Store;
  failing: Failing;
  tell?: (line: string) => void;
};

export function createScene(parts: SceneParts): Scene {
  const { clock, seed, relays: count, variant = {}, config, signer, store, openStore, failing, tell } = parts;
  const world = createWorld(clock, { seed, start: startOf(variant) }, tell);
  const settings = createSettings(config, variant, () => world.clock.now());
  const apis = new Map(config.accounts.map(({ id }) => [id, apiOf(id, (session) => settings.holderOf(id, session))]));
  const apiOfAccount = (account: string): Api => known(apis.get(account));
  const apiFor = (orderNo: string): Api => apiOfAccount(accountOf(orderNo));
  const gateway = createGateway(world, variant);
  const shop = createShop(world);
  const onBegun: Begun[] = [];
  const onWritten: Written[] = [];
  const onFinished: Scene['onFinished'] = [];
  const openWatched = (): Store =>
    watchedStore(openStore(), {
      ...{ begun: onBegun, written: onWritten, finished: onFinished },
      async unwritten(seen, { account, order_no }) {
        const [{ version }, real] = await Promise.all([
          seen.orders.get(account, order_no),
          store.orders.get(account, order_no),
        ]);
        if (version !== real.version)
          world.breach('what is read is stored', `${order_no} is read as it was not stored`);
      },
    });
  const relays = createRelays({
    world,
    gateway,
    openStore: openWatched,
    failing,
    send: shop.send,
    settings,
    signer,
    count,
  });
  const notifications = createNotifications(world, relays, apiFor);
  gateway.books.onChange(notifications.changed);
  return {
    ...{
      world,
      gateway,
      relays,
      settings,
      apiOf: apiOfAccount,
      apiFor,
      shop,
      notifications,
      store,
      started: clock.now(),
    },
    ...{
      sessions: [],
      orders: new Set(),
      onShown: [],
      onRefused: [],
      onBegun,
      onWritten,
      onFinished,
      decided: new Map(),
      approvedByPerson: new Map(),
      givenUp: new Set(),
    },
  };
}

function known<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the account is not configured');
  return value;
}

/** The store with listeners to the writes of operations and orders. */
function watchedStore(store: Store, listeners: StoreListeners): Store {
  return {
    ...store,
    operations: {
      ...store.operations,
      async begin(operation, ...rest) {
        const begun = await store.operations.begin(operation, ...rest);
        if (begun.kind === 'begun') for (const listener of listeners.begun) listener(operation);
        return begun;
      },
      async finish(finish) {
        const isWritten = await store.operations.finish(finish);
        if (isWritten) for (const listener of listeners.finished) listener(finish.operation);
        return isWritten;
      },
    },
    orders: {
      ...store.orders,
      async write(write) {
        try {
          const written = await store.orders.write(write);
          if (written.kind === 'written')
            for (const listener of listeners.written) listener(named(write.before), named(write.after), write.events);
          else await listeners.unwritten(store, write.before);
          return written;
        } catch (error) {
          await listeners.unwritten(store, write.before);
          throw error;
        }
      },
    },
  };
}

/** An order with its order number in the simulation. */
function named(order: StoredOrder): StoredOrder {
  return { ...order, order_no: nameIn(order.account, order.order_no) };
}
