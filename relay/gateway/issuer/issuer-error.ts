import { AddressRefused } from './addresses.ts';

/** Why an issuer_url leads to nowhere that a shopper may be sent to. */
export type IssuerFault = 'card_in_address' | 'address_refused' | 'host_refused' | 'scheme_refused' | 'no_answer';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerFault;

  constructor(code: IssuerFault, cause?: unknown) {
    super(`the issuer's page cannot be opened: ${code}`, { cause });
    this.code = code;
  }
}

/** True for a lookup, or a connection, that ended because its address may not be called. */
export function isAddressRefused(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}
