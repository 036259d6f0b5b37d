import { join } from 'node:path';
import { createLog } from '../../relay/base/log.ts';
import { checkConfig } from '../../relay/config/load.ts';
import { loadConsolePage } from '../../relay/console/page.ts';
import { loadAssets } from '../../relay/pages/assets.ts';
import { startRelay } from '../../relay/server.ts';
import { openStore } from '../../relay/store/open.ts';

/** Starts the relay as `relay/main.ts` does, with the config in the variable SETTINGS. `now` replaces its clock. */
export async function startFromSettings(more: { now?: () => Date } = {}) {
  const config = checkConfig(JSON.parse(process.env.SETTINGS ?? '{}'), {});
  return startRelay({
    config,
    log: createLog('info'),
    assets: await loadAssets(join(import.meta.dirname, '../../dist')),
    consolePage: loadConsolePage(join(import.meta.dirname, '../../dist/console')),
    store: await openStore(config.store),
    ...more,
  });
}
