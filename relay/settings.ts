import { ConfigError } from './base/errors.ts';
import { instanceName } from './base/log.ts';
import { type Config, loadConfig } from './config/load.ts';
import type { Environment } from './config/secrets.ts';

/** The settings of a process: the configuration and its path, the name of the relay, and the level of its log. */
type Settings = { path: string; config: Config; name: string; level: string };

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/** Reads the environment and the config file that it names. Throws ConfigError. */
export function readSettings(env: Environment): Settings {
  const path = env.TURNPIKE_CONFIG;
  if (!path) throw new ConfigError(['set TURNPIKE_CONFIG to the path of the config file']);
  const config = loadConfig(path, env);
  return { path, config, name: instance(env.TURNPIKE_INSTANCE, config), level: logLevel(env.LOG_LEVEL) };
}

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
