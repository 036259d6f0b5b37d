import ipaddr from 'ipaddr.js';
import { ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import type { Limited, LimitName } from '../payments/attempt.ts';

/** The 429 of an attempt over a limit. */
export function limitProblem(context: Context, { limit, until }: Limited): ProblemError {
  context.metrics.limited(limit);
  const seconds = Math.max(1, Math.ceil((Date.parse(until) - context.now().getTime()) / 1000));
  return new ProblemError('too_many_attempts', details[limit], { headers: { 'Retry-After': String(seconds) } });
}

const details: Record<LimitName, string> = {
  ip: 'Too many payments were tried from this address. Nothing was sent; try again later.',
  card: 'This card was tried too often. Nothing was sent; try again later, or with another card.',
  account: 'Too many payments are being made at this shop. Nothing was sent; try again in a minute.',
  sign_in: 'Too many passwords were tried. Try again later.',
};

/** The network by which an address is counted: for IPv6 the network of 64 bits, which belongs to one person. */
export function network(address: string): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return parsed.parts.slice(0, 4).join(':');
}
