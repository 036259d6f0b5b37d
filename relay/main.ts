import { join } from 'node:path';
import { BuildMissing, loadAssets } from './checkout/assets.ts';
import { ConfigError, StoreError } from './errors.ts';
import { loadConfig } from './load-config.ts';
import { createLog } from './log.ts';
import { startRelay } from './server.ts';
import { openStore } from './store/open.ts';

/** Starts the relay from TURNPIKE_CONFIG and stops it at SIGTERM, SIGINT, or when the process that started it is gone. */
async function main(): Promise<void> {
  const path = process.env.TURNPIKE_CONFIG;
  if (!path) throw new ConfigError(['set TURNPIKE_CONFIG to the path of the config file']);
  const config = loadConfig(path, process.env);
  const log = createLog(process.env.LOG_LEVEL ?? 'info');
  const assets = await loadAssets(join(import.meta.dirname, '../dist'));
  const store = await openStore(config.store);
  const relay = await startRelay({ config, store, assets, log }).catch(async (error: unknown) => {
    await store.close();
    throw explained(error, config.listen.port);
  });
  log.info({ url: relay.url }, 'relay listening');
  process.send?.({ type: 'listening', url: relay.url });

  let stopping = false;
  const stop = (why: string): void => {
    // A second Ctrl-C must not cut a payment short.
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'relay stopping');
    relay.stop().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  process.once('disconnect', () => stop('parent gone'));
}

/** A failure that the operator can mend, as one line. */
class StartError extends Error {
  override readonly name = 'StartError';
  readonly code = 'cannot_start';
}

function explained(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new StartError(`Port ${port} (relay) is taken. Set PORT_RELAY to another port, or stop what uses it.`);
  }
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') {
    return new StartError(`The relay cannot listen on port ${port} (${code}). Check listen in the config file.`);
  }
  return error;
}

main().catch((error: unknown) => {
  if (error instanceof ConfigError) {
    console.error(`The relay’s configuration is wrong:\n${error.problems.map((problem) => `  ${problem}`).join('\n')}`);
  } else if (error instanceof StoreError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    console.error(`The relay cannot open its store${cause}`);
  } else if (error instanceof StartError || error instanceof BuildMissing) {
    console.error(error.message);
  } else {
    console.error(error);
  }
  process.exit(1);
});
