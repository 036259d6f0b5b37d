import type { Device } from '../../shared/checkout/pay.ts';
import type { Api } from './api.ts';
import type { Brands } from './card/brand.ts';
import type { Parts } from './model.ts';
import type { Outgoing } from './outcome.ts';

/** All that the form needs from outside. */
export type World = {
  /** Missing where the address holds no secret. */
  api?: Api;
  /** What is known of the device; answers soon and never fails. */
  device(): Promise<Device>;
  loadParts(): Promise<Parts>;
  loadBrands(): Promise<Brands>;
  now(): Date;
  wait(ms: number): Promise<void>;
  /** Tells the shop's page. */
  post(message: Outgoing): void;
  navigate(url: string): void;
  focus(field: string): void;
};
