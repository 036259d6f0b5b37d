/** 1 to 255 characters that can be seen, or blanks, but not blanks alone. Some gateways fill their names up with them. */
const printable = /^(?! *$)[^\p{C}\p{Zl}\p{Zp}]{1,255}$/u;

/**
 * The gateway's name for a payment, refund or contract, where it can be one: it is kept, shown, and sent back to the gateway in
 * later messages. Undefined for anything else.
 */
export function identifierIn(value: string | null | undefined): string | undefined {
  return typeof value === 'string' && printable.test(value) ? value : undefined;
}
