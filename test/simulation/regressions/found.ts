import type { OperationPlan, PaymentPlan } from '../plans.ts';
import type { History, Step } from '../steps.ts';

/** A step as reports print it: its plan has only the values that differ from the default. */
type Short<Of> = Of extends { fate: OperationPlan }
  ? Omit<Of, 'fate'> & { fate: Partial<OperationPlan> }
  : Of extends { fate: PaymentPlan }
    ? Omit<Of, 'fate'> & { fate: Partial<PaymentPlan> & Pick<PaymentPlan, 'says'> }
    : Of;

/** A history that once broke an invariant, shortened, and what broke it. */
export type Regression = Omit<History, 'steps'> & { found: string; steps: Short<Step>[] };
