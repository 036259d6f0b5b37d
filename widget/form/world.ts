import type { FrameMessage, Unmarked } from '../../shared/checkout/frame.ts';
import type { Device } from '../../shared/checkout/pay.ts';
import type { Api } from './api.ts';
import type { Brands } from './card/brand.ts';
import type { Parts } from './model.ts';

/** All that the form needs from outside. */
export type World = {
  /** Missing where the address holds no secret. */
  api?: Api;
  /** What is known of the device; answers soon and never fails. */
  device(): Promise<Device>;
  /** These two never fail: undefined is what cannot be had. */
  loadParts(): Promise<Parts | undefined>;
  loadBrands(): Promise<Brands | undefined>;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** Tells the shop's page. */
  post(message: Unmarked<FrameMessage>): void;
  navigate(url: string): void;
  /** Takes the shopper to a field, or to what is told: `told`. */
  focus(field: string): void;
};
