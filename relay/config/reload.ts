import { isDeepStrictEqual } from 'node:util';
import { ConfigError } from '../base/errors.ts';
import type { Config } from './load.ts';

/** Throws ConfigError that lists the changed settings which are only read at the start. */
export function checkReloadable(before: Config, now: Config): void {
  const problems = [
    ...(isDeepStrictEqual(before.listen, now.listen) ? [] : ['listen']),
    ...(isSameStore(before.store, now.store) ? [] : ['store']),
  ].map((path) => `${path}: cannot change while the relay runs: restart it`);
  if (!isDeepStrictEqual(consoleAddress(before), consoleAddress(now))) problems.push(consoleProblem(before, now));
  if (problems.length > 0) throw new ConfigError(problems);
}

/** The separate address of the console, if the settings contain people. */
function consoleAddress({ console: { people, listen } }: Config): object | undefined {
  return people.length > 0 ? listen : undefined;
}

function consoleProblem(before: Config, now: Config): string {
  const isListen = before.console.people.length > 0 && now.console.people.length > 0;
  return isListen
    ? 'console.listen: cannot change while the relay runs: restart it'
    : 'console.people: with console.listen the first person and the removal of the last need a restart';
}

/** True for two addresses of the same store. The role of a PostgreSQL database and its password may differ. */
export function isSameStore(before: string, now: string): boolean {
  return withoutRole(before) === withoutRole(now);
}

function withoutRole(store: string): string {
  return store.replace(/^(postgres(?:ql)?:\/\/)[^/?#]*@/, '$1');
}
