import { registerHooks } from 'node:module';

/** Faults that a relay once had: the module that each was in, and the one of this folder that has it again. */
const faults: Readonly<Record<string, { module: string; by: string }>> = {};

export const faultNames: readonly string[] = Object.keys(faults);

/** Puts a fault back into the relay: whoever imports its module from now on gets the wrong one, that one itself apart. */
export function putBack(name: string): void {
  const fault = faults[name];
  if (!fault) throw new Error(`no such fault: ${name}; there are ${faultNames.join(', ')}`);
  const [right, wrong] = [urlOf(`../../../${fault.module}`), urlOf(`./${fault.by}`)];
  registerHooks({
    resolve(specifier, context, next) {
      const resolved = next(specifier, context);
      return resolved.url === right && context.parentURL !== wrong ? { ...resolved, url: wrong } : resolved;
    },
  });
}

function urlOf(path: string): string {
  return new URL(path, import.meta.url).href;
}
