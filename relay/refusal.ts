import manifest from '../package.json' with { type: 'json' };
import { ConfigError, StoreError } from './base/errors.ts';
import { failureFields, instanceName } from './base/log.ts';
import type { Config } from './config/load.ts';
import { BuildMissing } from './pages/assets.ts';
import { SCHEMA_VERSION } from './store/schema/schema.ts';

/** The causes of a refused start, each with the exit code of the process. */
export const exitCodes = { config: 1, other: 1, port: 5, store: 3, version: 4 } as const;

/**
 * Why the relay does not start. `code` is the code of the system, the database or the relay; `problems` are the
 * problems of the settings.
 */
type Refusal = {
  class: keyof typeof exitCodes;
  code?: string | undefined;
  message: string;
  problems?: readonly string[];
};

/** A failure to listen on a port, in one line. */
export class PortError extends Error {
  override readonly name = 'PortError';
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the PortError for a failure to listen on one of the configured addresses; any other error unchanged. */
export function explained(error: unknown, { listen, console: { listen: own } }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') return error;
  const port = error instanceof Error && 'port' in error ? error.port : listen.port;
  if (own !== undefined && port === own.port && port !== listen.port) {
    const advice = 'Check console.listen in the config file, and PORT_CONSOLE.';
    return new PortError(code, `The console cannot listen on port ${port} (${code}). ${advice}`);
  }
  return new PortError(
    code,
    code === 'EADDRINUSE'
      ? `Port ${port} (relay) is taken. Set PORT_RELAY to another port, or stop what uses it.`
      : `The relay cannot listen on port ${port} (${code}). Check listen in the config file.`,
  );
}

/** Returns why the relay does not start. The texts contain no secret. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ConfigError) {
    const { code, problems } = error;
    return { class: 'config', code, message: 'The relay’s configuration is wrong', problems };
  }
  if (error instanceof StoreError) {
    const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
    const isVersion = error.reason === SCHEMA_VERSION;
    const { reason: code = error.code } = error;
    return { class: isVersion ? 'version' : 'store', code, message: `The relay cannot open its store${cause}` };
  }
  if (error instanceof PortError) return { class: 'port', code: error.code, message: error.message };
  if (error instanceof BuildMissing) return { class: 'other', message: error.message };
  const { error: name, code = 'no code', at = 'an unknown place' } = failureFields(error);
  return { class: 'other', code, message: `The relay cannot start: ${name} (${code}) at ${at}` };
}

/** The refusal as the last line of the log, in the format of the other lines. */
export function refusalLine(
  { class: kind, code, message, problems }: Refusal,
  level: string,
  env: NodeJS.ProcessEnv,
): string {
  const instance = instanceName(env.TURNPIKE_INSTANCE, Number(env.PORT_RELAY ?? 0));
  const base = { level, time: new Date().toISOString(), app: 'turnpike-relay', version: manifest.version };
  return JSON.stringify({ ...base, instance, class: kind, code, exit_code: exitCodes[kind], problems, msg: message });
}

/** The refusal for a person at a terminal. */
export function refusalText({ message, problems }: Refusal): string {
  return problems ? `${message}:\n${problems.map((problem) => `  ${problem}`).join('\n')}` : message;
}

/** The refusal as `systemctl status` shows it. */
export function refusalStatus({ class: kind, code = 'no code', message, problems = [] }: Refusal): string {
  return `Not started (${kind}, ${code}): ${[message, ...problems].join('; ')}`;
}
