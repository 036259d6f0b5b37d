import type { FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { Device } from '../../shared/checkout/pay.ts';

/** All that the form needs from outside. */
export type World = {
  /** The session's client secret; empty where the address holds none. */
  secret: string;
  /** What is known of the device; answers soon and never fails. */
  device(): Promise<Device>;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** False where the device knows that it has no network. */
  online(): boolean;
  /** Tells the shop's page. */
  post(message: Unmarked<FrameMessage>): void;
  navigate(url: string): void;
  /** Takes the shopper to a field, or to what is told: `told`. */
  focus(field: string): void;
};
