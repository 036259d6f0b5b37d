import { join } from 'node:path';
import type { Rehearsal } from './harness/rehearsal.ts';

const root = join(import.meta.dirname, '../..');

/** This release with one more step of the schema, and with the scripts of an earlier version. */
const NEXT = {
  node: ['--import', join(import.meta.dirname, 'harness/next-version.ts')],
  env: { TURNPIKE_PREVIOUS: root },
};

/** A version that migrates the store replaces one relay after the other. The old relay keeps working with the migrated store. */
export const upgrade: Rehearsal = {
  breaks: 'upgrade of one relay after the other, with a migration of the orders',
  stage: { store: 'postgres', relays: 2 },
  noFailures: true,
  async run({ relays, postgres, store }) {
    const version = async (): Promise<unknown> =>
      (await postgres?.query(store, 'SELECT version FROM turnpike.migrations'))?.[0]?.version;
    const before = await version();
    for (const relay of relays) {
      await relay.stop();
      await relay.start(NEXT);
    }
    const after = await version();
    const wrong = before === after ? ['the store was not migrated'] : [];
    return { notes: [`the store was migrated from version ${before} to ${after}`], wrong };
  },
};
