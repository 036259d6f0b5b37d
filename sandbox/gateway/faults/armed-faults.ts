import type { OperationName } from '../../../shared/gateway/operations.ts';
import { type Fault, type FaultName, strikes } from './faults.ts';

/** A fault that waits for the next messages of an operation, or of any. */
type ArmedFault = { operation: OperationName | '*'; fault: FaultName; times: number };

/** Faults that a person or a test ordered for what is to come, whatever the messages say. */
export class ArmedFaults {
  #armed: ArmedFault[] = [];

  arm(fault: ArmedFault): void {
    this.#armed.push({ ...fault });
  }

  list(): readonly ArmedFault[] {
    return this.#armed.map((armed) => ({ ...armed }));
  }

  clear(): void {
    this.#armed = [];
  }

  /** The faults that strike this now, in one of these operations; each is used up once. */
  take(what: Fault['strikes'], struck: readonly OperationName[]): FaultName[] {
    const taken = this.#armed.filter(
      ({ operation, fault }) => (operation === '*' || struck.includes(operation)) && strikes(fault, what, struck),
    );
    for (const armed of taken) armed.times -= 1;
    this.#armed = this.#armed.filter(({ times }) => times > 0);
    return taken.map(({ fault }) => fault);
  }
}
