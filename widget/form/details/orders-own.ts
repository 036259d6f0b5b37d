import type { State } from '../state.ts';

/** What the order itself says of a field, as far as that can be told: after a try the shopper's own texts come back with it. */
export function ordersOwn({ view }: State, path: string): string | undefined {
  return isTried(view) ? undefined : view.prefill?.[path];
}

/** Whether there was a try to pay before. */
export function isTried({ last_method, notice }: State['view']): boolean {
  return last_method !== undefined || notice !== undefined;
}
