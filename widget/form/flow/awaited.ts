import { labelOf, type Stage, type View } from '../state.ts';

/** Whether the form waits for the session to change. */
export function isAwaited(stage: Stage): boolean {
  return stage.name === 'away' || stage.name === 'confirming' || stage.name === 'pending';
}

/** The payment that the session waits for: pending, or at the issuer's page. */
export function awaitedOf({ pending, redirected }: View): View['pending'] {
  return pending ?? redirected;
}

/**
 * The label of the awaited alternative method; empty for a card, and while the session does not contain the method yet.
 */
export function awaitedLabel(view: View): string {
  const method = awaitedOf(view)?.payment_method;
  return method === undefined || method === 'card' ? '' : labelOf(view, method);
}
