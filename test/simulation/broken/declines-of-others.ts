export * from '../../../relay/payments/settlement/records.ts';

/** Wrong: a record of any date may be an attempt's own. */
export function mayBeOf(): boolean {
  return true;
}
