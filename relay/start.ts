import { delimiter, join } from 'node:path';
import { ConfigError } from './base/errors.ts';
import { createLog, failureFields, instanceName, type Logger } from './base/log.ts';
import { type Config, loadConfig } from './config/load.ts';
import { loadConsolePage } from './console/page.ts';
import { openTracing } from './operating/tracing.ts';
import { loadAssets, scriptsIn } from './pages/assets.ts';
import { exitCodes, explained, refusalLine, refusalOf, refusalText } from './refusal.ts';
import { onReloadSignal } from './reload-signal.ts';
import { startRelay } from './server.ts';
import { openStore } from './store/open.ts';

/** Starts the relay from TURNPIKE_CONFIG and stops it at SIGTERM, SIGINT, or when the process that started it is gone. */
async function main(): Promise<void> {
  const path = process.env.TURNPIKE_CONFIG;
  if (!path) throw new ConfigError(['set TURNPIKE_CONFIG to the path of the config file']);
  const config = loadConfig(path, process.env);
  const name = instance(process.env.TURNPIKE_INSTANCE, config);
  const log = createLog(logLevel(process.env.LOG_LEVEL), undefined, name);
  dieOfBugs(log);
  const tracing = await openTracing(process.env, name, log);
  const dist = join(import.meta.dirname, '../dist');
  const earlier = earlierBuilds(process.env.TURNPIKE_PREVIOUS, log);
  const assets = await loadAssets(dist, earlier.flatMap(scriptsIn));
  const consoles = earlier.map((folder) => join(folder, 'console'));
  const consolePageOf = ({ console: { people } }: Config) =>
    people.length > 0 ? loadConsolePage(join(dist, 'console'), consoles) : undefined;
  const broken = (code: string): void => {
    log.error({ code }, 'the disk of the store failed, so the relay stops: its next start reads what is there');
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
  log.info({ url: relay.url }, 'relay listening');
  if (relay.consoleUrl) log.info({ url: relay.consoleUrl }, 'console listening');
  process.send?.({ type: 'listening', url: relay.url });

  let stopping = false;
  const stop = (why: string): void => {
    // A second Ctrl-C must not cut a payment short.
    if (stopping) return;
    stopping = true;
    log.info({ why }, 'relay stopping');
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
    reloading = reloading.then(() => (stopping ? undefined : reload(relay, path, consolePageOf, log)));
  });
  process.once('disconnect', () => stop('parent gone'));
}

/** Reads the configuration again and uses it from now on, or says why not and keeps the one before. */
async function reload(
  relay: Awaited<ReturnType<typeof startRelay>>,
  path: string,
  consolePageOf: (config: Config) => ReturnType<typeof loadConsolePage> | undefined,
  log: Logger,
): Promise<void> {
  try {
    const config = loadConfig(path, process.env);
    await relay.reload(config, consolePageOf(config));
    log.info({}, 'configuration reloaded');
    relay.context.metrics.reloaded(true);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : undefined;
    log.error({ ...failureFields(error), problems }, 'configuration not reloaded: the one before stays in use');
    relay.context.metrics.reloaded(false);
  }
}

/** The address of the store as it is now; undefined where the configuration cannot be used. */
function storeIn(path: string): string | undefined {
  try {
    return loadConfig(path, process.env).store;
  } catch {
    return undefined;
  }
}

/** How long a proxy may use the connections that it has when the relay stops. */
const IDLE_MS = 1000;

/**
 * The builds of the earlier releases that TURNPIKE_PREVIOUS names: a page that was loaded before an upgrade still gets its scripts.
 * One that is gone stops no relay.
 */
function earlierBuilds(folders: string | undefined, log: Logger): string[] {
  const builds = (folders ?? '').split(delimiter).flatMap((folder) => (folder ? [join(folder, 'dist')] : []));
  for (const build of builds) {
    if (scriptsIn(build).length === 0) log.warn({ name: build }, 'TURNPIKE_PREVIOUS names a folder without a release');
  }
  return builds;
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

function logLevel(given = 'info'): string {
  if (!LOG_LEVELS.includes(given)) throw new ConfigError([`LOG_LEVEL: must be one of ${LOG_LEVELS.join(', ')}`]);
  return given;
}

function instance(given: string | undefined, { listen }: Config): string {
  const name = instanceName(given, listen.port);
  if (name === undefined) {
    throw new ConfigError(['TURNPIKE_INSTANCE: must be 1 to 100 letters, digits or . : _ @ / -']);
  }
  return name;
}

/**
 * An uncaught error ends the process: what is durable is right, what is in memory may not be. Its text and its stack
 * may quote what was being handled, a card too, so neither is written anywhere, nor a report of Node's with the environment.
 */
function dieOfBugs(log: Logger): void {
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

main().catch((error: unknown) => {
  const refusal = refusalOf(error);
  // A person reads what `npm start` and a terminal print.
  const isRead = process.send !== undefined || process.stderr.isTTY;
  console.error(isRead ? refusalText(refusal) : refusalLine(refusal, process.env));
  process.exit(exitCodes[refusal.class]);
});
