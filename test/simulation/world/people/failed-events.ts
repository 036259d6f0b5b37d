import type { Scene } from '../scene.ts';

/**
 * People of a shop handle the webhooks that were given up: they request them again, or read and acknowledge them.
 * @param key the key of their requests
 */
export async function dealWithFailed(
  scene: Scene,
  what: 'redeliver' | 'acknowledge',
  at: number,
  key: string,
): Promise<void> {
  const { store, relays, shop, settings, apiOf } = scene;
  for (const { id: account } of settings.accounts()) {
    const failed = await store.outbox.list({ account, status: 'failed', limit: 1000 });
    if (failed.length === 0) continue;
    const api = apiOf(account);
    if (what === 'redeliver') {
      for (const { id } of failed) shop.sendAgain(id);
      await relays.request(at, { name: `redeliver ${failed.length}` }, api.redeliver(key));
      continue;
    }
    for (const { id } of failed) await relays.request(at, { name: `acknowledge ${id}` }, api.acknowledge(id, key));
  }
}

/** The people of a shop without an endpoint read its events. */
export async function readKept({ store, shop, settings }: Scene): Promise<void> {
  for (const { id: account, webhooks } of settings.accounts()) {
    if (webhooks.length > 0) continue;
    for (const { id, body } of await store.outbox.list({ account, limit: 10_000, oldestFirst: {} })) {
      shop.read(account, id, body);
    }
  }
}

/** An acknowledged event counts as read once its request is answered, the first time or again. */
export function readAcknowledged({ store, relays, shop }: Scene): void {
  relays.watch(({ path }, { life }) => {
    const [, id] = /^\/v1\/events\/([^/]+)\/acknowledge$/.exec(path) ?? [];
    if (id === undefined) return undefined;
    return async (answer) => {
      if (!answer || answer.status >= 400) return;
      for (const { id: account } of life.config.accounts) {
        const event = await store.outbox.get(account, id);
        if (event) shop.read(account, id, event.body);
      }
    };
  });
}
