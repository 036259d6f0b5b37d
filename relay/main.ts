import { delimiter, join } from 'node:path';
import { ConfigError, StoreError } from './base/errors.ts';
import { createLog, failureFields, instanceName, type Logger } from './base/log.ts';
import { type Config, loadConfig } from './config/load.ts';
import { loadConsolePage } from './console/page.ts';
import { openTracing } from './operating/tracing.ts';
import { BuildMissing, loadAssets, scriptsIn } from './pages/assets.ts';
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
  const consolePage = config.console.people.length > 0 ? loadConsolePage(join(dist, 'console'), consoles) : undefined;
  const store = await openStore(config.store, (code) => {
    log.error({ code }, 'the disk of the store failed, so the relay stops: its next start reads what is there');
    process.exit(1);
  });
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
  process.once('disconnect', () => stop('parent gone'));
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

/** A failure that the operator can fix, as one line. */
class StartError extends Error {
  override readonly name = 'StartError';
  readonly code = 'cannot_start';
}

function explained(error: unknown, { listen, console: { listen: own } }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const port = error instanceof Error && 'port' in error ? error.port : listen.port;
  const isConsole = own !== undefined && port === own.port && port !== listen.port;
  if (isConsole && (code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL')) {
    return new StartError(
      `The console cannot listen on port ${port} (${code}). Check console.listen in the config file, and PORT_CONSOLE.`,
    );
  }
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
    const { error: name, code = 'no code', at = 'an unknown place' } = failureFields(error);
    console.error(`The relay cannot start: ${name} (${code}) at ${at}`);
  }
  process.exit(1);
});
