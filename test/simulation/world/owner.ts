import type { Config } from '../../../relay/config/load.ts';
import type { OperationPlan, PaymentPlan } from '../plans.ts';

/** One life of a relay: from its start to its death. */
export type Life = {
  name: string;
  dead: boolean;
  die(): void;
  /** Fulfilled when it dies. */
  death: Promise<void>;
  /** The milliseconds by which its clock is ahead. */
  skew: number;
  /** The store that it started with. */
  config: Config;
  /** Until when its calls of the store fail. */
  cutOffUntil?: number;
  /**
   * It dies at a call of the store or the network: after this many calls, before or after the effect of the last one.
   */
  fuse?: { calls: number; effect: boolean };
};

/** An operation that must be carried out once, even if the shop repeats its request. */
export type Intent = { id: string; about: string; fate: OperationPlan; references?: readonly string[] };

/** A request to a relay. `began` is the number of the event: later events have higher numbers. */
export type Request = {
  began: number;
  name: string;
  fate?: PaymentPlan;
  intent?: Intent;
  /** When the client disconnects without waiting for the answer. */
  hangsUpAt?: number;
};

/** The relay process and the request that the current work belongs to. */
export type Owner = { life: Life; request?: Request };
