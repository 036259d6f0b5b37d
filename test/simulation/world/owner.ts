import type { Config } from '../../../relay/config/load.ts';
import type { OperationPlan, PaymentPlan } from '../plans.ts';

/** One life of a relay: from its start to its death. */
export type Life = {
  name: string;
  dead: boolean;
  die(): void;
  /** Fulfilled when it dies. */
  death: Promise<void>;
  /** By how many milliseconds its clock is ahead. */
  skew: number;
  /** What it started with. */
  config: Config;
  /** Until when its calls of the store fail. */
  cutOffUntil?: number;
  /** It dies at the call after so many, before that call's effect or after it. */
  fuse?: { calls: number; effect: boolean };
};

/** An effect that a shop wants once, however often it asks. */
export type Intent = { id: string; about: string; fate: OperationPlan; references?: readonly string[] };

/** A request to a relay. `began` counts events: what is later has a higher number. */
export type Request = {
  began: number;
  name: string;
  fate?: PaymentPlan;
  intent?: Intent;
  /** When the caller leaves without waiting for the answer. */
  hangsUpAt?: number;
};

/** Whose work is being done. */
export type Owner = { life: Life; request?: Request };
