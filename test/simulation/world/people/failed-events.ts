import type { Scene } from '../scene.ts';

/** A shop's people deal with the webhooks that were given up: they have them sent again, or read them and say so. */
export async function dealWithFailed(scene: Scene, what: 'redeliver' | 'acknowledge', at: number): Promise<void> {
  const { store, relays, shop, settings, apiOf } = scene;
  for (const { id: account } of settings.accounts()) {
    const failed = await store.listEvents({ account, status: 'failed', limit: 1000 });
    if (failed.length === 0) continue;
    const api = apiOf(account);
    if (what === 'redeliver') {
      for (const { id } of failed) shop.sendAgain(id);
      await relays.request(at, { name: `redeliver ${failed.length}` }, api.redeliver());
      continue;
    }
    for (const { id, body } of failed) {
      const told = await relays.request(at, { name: `acknowledge ${id}` }, api.acknowledge(id));
      if (told.kind === 'answered') shop.read(account, id, body);
    }
  }
}
