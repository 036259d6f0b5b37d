import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { faults } from './faults.ts';

/** Plants a fault: the relay's files import the wrong module in place of the right one. The wrong module imports the right one. */
export function plantFault(name: string): void {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`no such fault: ${name}; there are ${Object.keys(faults).join(', ')}`);
  const { module, file } = fault;
  const [right, wrong] = [urlOf(`../../../${module}`), urlOf(`../mutants/${file}`)];
  const missing = [right, wrong].find((url) => !existsSync(new URL(url)));
  if (missing) throw new Error(`the fault ${name} names a module that is not there: ${missing}`);
  const relay = urlOf('../../../relay/');
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      const isOfRelay = context.parentURL?.startsWith(relay) || context.parentURL?.endsWith('simulation/relay.ts');
      return resolved.url === right && isOfRelay ? { ...resolved, url: wrong } : resolved;
    },
  });
}

function urlOf(path: string): string {
  return new URL(path, import.meta.url).href;
}
