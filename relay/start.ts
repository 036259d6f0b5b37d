import { delimiter, join } from 'node:path';
import { ConfigError } from './base/errors.ts';
import { createLog, failureFields, type Logger } from './base/log.ts';
import { type Config, loadConfig } from './config/load.ts';
import { loadConsolePage } from './console/page.ts';
import { notifySystemd } from './operating/systemd.ts';
import { openTracing } from './operating/tracing.ts';
import { loadAssets, scriptsIn } from './pages/assets.ts';
import { explained } from './refusal.ts';
import { refuse } from './refuse.ts';
import { onReloadSignal } from './reload-signal.ts';
import { startRelay } from './server.ts';
import { readSettings } from './settings.ts';
import { openStore } from './store/open.ts';

/** Starts the relay from TURNPIKE_CONFIG, and stops it at SIGTERM, at SIGINT, or when the parent process has ended. */
async function main(): Promise<void> {
  const { path, config, name, level } = readSettings(process.env);
  const log = createLog(level, undefined, name);
  exitOnUncaughtError(log);
  const tracing = await openTracing(process.env, name, log);
  const dist = join(import.meta.dirname, '../dist');
  const earlier = earlierBuilds(process.env.TURNPIKE_PREVIOUS, log);
  const assets = await loadAssets(dist, earlier.flatMap(scriptsIn));
  const consoles = earlier.map((folder) => join(folder, 'console'));
  const consolePageOf = ({ console: { people } }: Config) =>
    people.length > 0 ? loadConsolePage(join(dist, 'console'), consoles) : undefined;
  const broken = (code: string): void => {
    log.error({ code }, 'disk of the store failed; the relay stops');
    process.exit(1);
  };
  const store = await openStore(config.store, broken, 'server', () => storeIn(path));
  const consolePage = consolePageOf(config);
  const relay = await startRelay({ config, store, assets, consolePage, log, tracer: tracing.tracer }).catch(
    async (error: unknown) => {
      await store.close();
      throw explained(error, config);
    },
  );
  freeMemory();
  log.info({ url: relay.url }, 'relay listening');
  if (relay.consoleUrl) log.info({ url: relay.consoleUrl }, 'console listening');
  process.send?.({ type: 'listening', url: relay.url });
  const notify = notifierOf(log);
  notify({ state: 'READY=1', status: `Ready: ${relay.url}` });

  let stopping = false;
  const stop = (why: string): void => {
    // A second Ctrl-C must not interrupt a payment.
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'relay stopping');
    notify({ state: 'STOPPING=1', status: 'Stopping: finishes the requests in flight' });
    const ended = relay.stop(IDLE_MS).then((how) => tracing.close().then(() => how));
    ended.then(
      (how) => process.exit(how === 'finished' ? 0 : 1),
      (error: unknown) => {
        log.error(failureFields(error), 'stop failed');
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  let reloading = Promise.resolve();
  onReloadSignal(() => {
    reloading = reloading.then(() => (stopping ? undefined : reload(relay, path, consolePageOf, log).then(notify)));
  });
  process.once('disconnect', () => stop('parent gone'));
}

/**
 * Reads the configuration again and uses it from now on. If it cannot be used, logs the reason and keeps the previous
 * one. Returns the status for systemd.
 */
async function reload(
  relay: Awaited<ReturnType<typeof startRelay>>,
  path: string,
  consolePageOf: (config: Config) => ReturnType<typeof loadConsolePage> | undefined,
  log: Logger,
): Promise<{ status: string }> {
  const status = `Ready: ${relay.url}`;
  try {
    const config = loadConfig(path, process.env);
    await relay.reload(config, consolePageOf(config));
    log.info({}, 'configuration reloaded');
    relay.context.metrics.reloaded(true);
    return { status };
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : undefined;
    log.error({ ...failureFields(error), problems }, 'configuration not reloaded; the previous one stays in use');
    relay.context.metrics.reloaded(false);
    return { status: `${status}. The last reload was refused: ${problems?.join('; ') ?? 'see the log'}` };
  }
}

/** The present address of the store; undefined if the configuration cannot be read. */
function storeIn(path: string): string | undefined {
  try {
    return loadConfig(path, process.env).store;
  } catch {
    return undefined;
  }
}

/** The time in which a proxy may still use its idle connections when the relay stops. */
const IDLE_MS = 1000;

/**
 * The builds of the earlier releases in TURNPIKE_PREVIOUS, so that a page that was loaded before an upgrade still gets
 * its scripts. A missing release is only logged.
 */
function earlierBuilds(folders: string | undefined, log: Logger): string[] {
  const builds = (folders ?? '').split(delimiter).flatMap((folder) => (folder ? [join(folder, 'dist')] : []));
  for (const build of builds) {
    if (scriptsIn(build).length === 0) log.warn({ name: build }, 'TURNPIKE_PREVIOUS names a folder without a release');
  }
  return builds;
}

/** Loading the code leaves garbage, and V8 would keep its memory. The command of a release exposes this function. */
function freeMemory(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}

/** Sends messages to systemd in order, and logs those that fail. */
function notifierOf(log: Logger): (message: Parameters<typeof notifySystemd>[1]) => void {
  let last = Promise.resolve();
  return (message) => {
    last = last.then(async () => {
      const code = await notifySystemd(process.env, message);
      if (code !== undefined) log.error({ code }, 'systemd not notified: systemd-notify failed');
    });
  };
}

/**
 * Ends the process at an uncaught error: the stored data is right, and the data in memory may be wrong. The error's
 * message and stack, and Node's reports, may contain card data or the environment, so none of them is written.
 */
function exitOnUncaughtError(log: Logger): void {
  const { report } = process;
  report.reportOnFatalError = false;
  report.reportOnSignal = false;
  report.reportOnUncaughtException = false;
  report.excludeEnv = true;
  process.on('uncaughtException', (error) => {
    log.fatal(failureFields(error), 'the relay stops because of an uncaught error');
    process.exit(1);
  });
}

main().catch(refuse);
