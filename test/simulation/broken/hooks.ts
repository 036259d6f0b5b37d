import { registerHooks } from 'node:module';

/** Faults that a relay once had: the module that each was in. The file of its name in this folder has it again. */
const faults: Readonly<Record<string, string>> = {
  'declines-for-good': 'relay/payments/attempt.ts',
  'declines-of-others': 'relay/payments/settlement/records.ts',
  'refusals-for-good': 'relay/payments/settlement/credit.ts',
  'one-spoils-all': 'relay/reconciliation/content-fault.ts',
  'one-session-at-a-time': 'relay/payments/settlement/credit.ts',
  'pending-is-unknown': 'relay/payments/settlement/records.ts',
  'forgotten-payouts': 'relay/store/sqlite/purge.ts',
  'forgotten-refunds': 'relay/store/sqlite/purge.ts',
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
  const module = faults[name];
  if (module === undefined) throw new Error(`no such fault: ${name}; there are ${faultNames.join(', ')}`);
  const [right, wrong] = [urlOf(`../../../${module}`), urlOf(`./${name}.ts`)];
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
