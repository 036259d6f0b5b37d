import type { FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { ReadFingerprint } from '../device/device-reader.ts';

/** All that the form needs from outside. */
export type Platform = {
  /** The session's client secret; empty where the address holds none. */
  secret: string;
  /** Never fails; undefined where it cannot be had. */
  loadFingerprint(): Promise<ReadFingerprint | undefined>;
  /** The `Accept` header with which the browser asked for the form's page, where it is known. */
  accept?: string | undefined;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** False where the device knows that it has no network. */
  online(): boolean;
  /** Tells the shop's page. */
  post(message: Unmarked<FrameMessage>): void;
  navigate(url: string): void;
  /** Takes the shopper to a field, or to the message: `message`. */
  focus(field: string): void;
};
