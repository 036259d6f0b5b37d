/** The other side of a connection: the setting with its address, and the person who can repair the server. */
type Other = { address: string; operator: string };

/** The fault of a connection in words, the advice, and whether it concerns TLS. */
export type NetworkTrouble = { says: string; next: string; isTls: boolean };

const connections: Readonly<Record<string, string | undefined>> = {
  ENOTFOUND: 'its name cannot be looked up',
  EAI_AGAIN: 'its name cannot be looked up now',
  ECONNREFUSED: 'nothing listens on this port',
  ECONNRESET: 'the connection was cut',
  EPIPE: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to this address',
  ENETUNREACH: 'there is no way to this network',
  ETIMEDOUT: 'there is no answer',
  timeout: 'there is no answer in time',
  TimeoutError: 'no answer within ten seconds',
  ABORT_ERR: 'no answer within ten seconds',
};

const OTHER_CHAIN =
  'Ask its operator to correct the certificate chain, or give Node the authority with NODE_EXTRA_CA_CERTS.';
const NO_TLS = 'Check the port in {address}, and whether it must begin with http:// there.';
const OLD_TLS = 'Tell {operator}.';

/** The fault of TLS, and the advice. */
const tls: Readonly<Record<string, readonly [string, string] | undefined>> = {
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Tell {operator}; check this machine’s clock too.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check this machine’s clock.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another name', 'Check the host in {address}.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is signed by itself', OTHER_CHAIN],
  SELF_SIGNED_CERT_IN_CHAIN: ['its chain ends at an authority that this machine does not know', OTHER_CHAIN],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its chain lacks a certificate between its own and the authority’s', OTHER_CHAIN],
  UNABLE_TO_GET_ISSUER_CERT: ['its chain is not complete', OTHER_CHAIN],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['its chain leads to an authority that this machine does not know', OTHER_CHAIN],
  CERT_REVOKED: ['its certificate was revoked', OLD_TLS],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS on this port, as with https on an http port', NO_TLS],
  ERR_SSL_PACKET_LENGTH_TOO_LONG: ['it does not speak TLS on this port, as with https on an http port', NO_TLS],
  EPROTO: ['it does not speak TLS on this port, as with https on an http port', NO_TLS],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ['it speaks no version of TLS that is safe', OLD_TLS],
};

/** The meaning of a system error code for a connection; undefined for a code without a text. */
export function networkTrouble(code: string, { address, operator }: Other): NetworkTrouble | undefined {
  const fill = (text: string): string => text.replace('{address}', address).replace('{operator}', operator);
  const [says, next] = tls[code] ?? [];
  if (says !== undefined && next !== undefined) return { says: `${says} (${code})`, next: fill(next), isTls: true };
  const connection = connections[code];
  if (connection === undefined) return undefined;
  const advice = `Check ${address} and its port, and that a firewall lets this machine out.`;
  return { says: `${connection} (${code})`, next: advice, isTls: false };
}
