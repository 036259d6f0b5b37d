import { registerHooks } from 'node:module';

/**
 * Faults that a relay once had or could have: the module that each was in, and the file of this folder that has it again, where
 * that has not its name.
 */
const faults: Readonly<Record<string, string | readonly [module: string, file: string]>> = {
  'declines-for-good': 'relay/payments/attempt.ts',
  'declines-of-others': 'relay/payments/settlement/records.ts',
  'refusals-for-good': ['relay/payments/settlement/credit.ts', 'uncredited.ts?settled'],
  'one-spoils-all': 'relay/reconciliation/content-fault.ts',
  'one-session-at-a-time': ['relay/payments/settlement/credit.ts', 'uncredited.ts?others'],
  'pending-is-unknown': 'relay/payments/settlement/records.ts',
  'forgotten-payouts': ['relay/store/sqlite/purge.ts', 'forgotten.ts?payouts'],
  'forgotten-references': ['relay/store/sqlite/purge.ts', 'forgotten.ts?references'],
  'forgotten-refunds': ['relay/store/sqlite/purge.ts', 'forgotten.ts?refunds'],
  'references-ignored': 'relay/operations/run.ts',
  'named-refunds-unsearched': 'relay/payments/operations/after-refund-search.ts',
  'no-back-off': 'relay/payments/schedule.ts',
  'asks-before-limits': 'relay/checkout/pay.ts',
  'late-approval-dropped': 'relay/payments/answer.ts',
  'unsent-tries-count': 'relay/webhooks/commit.ts',
  'payer-hung-up': 'relay/checkout/send-attempt.ts',
  'charges-told-by-any': 'relay/reconciliation/notices.ts',
};

export const faultNames: readonly string[] = Object.keys(faults);

/** Puts a fault back: every file of the relay that imports its module gets the wrong one, that one itself apart. */
export function putBack(name: string): void {
  const fault = faults[name];
  if (fault === undefined) throw new Error(`no such fault: ${name}; there are ${faultNames.join(', ')}`);
  const [module, file] = typeof fault === 'string' ? [fault, `${name}.ts`] : fault;
  const [right, wrong] = [urlOf(`../../../${module}`), urlOf(`./${file}`)];
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
