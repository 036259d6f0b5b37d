export * from '../../../relay/reconciliation/content-fault.ts';

/** Wrong: a query that fails is not halved, whatever one of its orders is at fault of. */
export function isContentFault(): boolean {
  return false;
}
