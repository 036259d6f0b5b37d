import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { bare, isLoopbackHost } from '../../relay/gateway/issuer/addresses.ts';
import { type Finding, ok, unknown, wrong } from './finding.ts';

/** What a plain look at the gateway's address told: no message, no account. */
type Reached =
  | { kind: 'no_name'; code: string }
  | { kind: 'no_connection'; addresses: readonly string[]; code: string }
  | {
      kind: 'answered';
      addresses: readonly string[];
      status: number;
      /** Its `Date` header, and the middle of the time between question and answer. */
      clock?: { theirs: Date; ours: Date };
      certificateEnds?: Date;
    };

const LIMIT_MS = 10_000;

/** Looks the gateway's name up, connects, and asks for nothing (HEAD). Never throws. */
export async function reach(baseUrl: string): Promise<Reached> {
  const url = new URL(baseUrl);
  let addresses: string[];
  try {
    const host = bare(url.hostname);
    addresses = isIP(host) ? [host] : (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return { kind: 'no_name', code: codeOf(error) };
  }
  return look(url, addresses);
}

function look(url: URL, addresses: readonly string[]): Promise<Reached> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done) => {
    const asked = Date.now();
    const head = request(url, { method: 'HEAD', agent: false, signal: AbortSignal.timeout(LIMIT_MS) }, (response) => {
      const ours = new Date((asked + Date.now()) / 2);
      const theirs = new Date(response.headers.date ?? '');
      const ends = response.socket instanceof TLSSocket ? response.socket.getPeerCertificate().valid_to : undefined;
      response.destroy();
      done({
        kind: 'answered',
        addresses,
        status: response.statusCode ?? 0,
        clock: Number.isNaN(theirs.getTime()) ? undefined : { theirs, ours },
        certificateEnds: ends === undefined ? undefined : new Date(ends),
      });
    });
    head.on('error', (error) => done({ kind: 'no_connection', addresses, code: codeOf(error) }));
    head.end();
  });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

const BASE_URL = { setting: 'gateway.base_url' };

/** What the look told, check by check. */
export function reachFindings(baseUrl: string, reached: Reached, now: Date): Finding[] {
  const { hostname, protocol } = new URL(baseUrl);
  const check = 'connection';
  switch (reached.kind) {
    case 'no_name':
      return [
        wrong(
          check,
          `the name ${hostname} cannot be looked up (${reached.code})`,
          'Check gateway.base_url, and this machine’s DNS.',
          BASE_URL,
        ),
      ];
    case 'no_connection':
      return [brokenConnection(hostname, reached)];
    case 'answered':
      return [
        ok(check, `${hostname} (${reached.addresses.join(', ')}) answers, HTTP ${reached.status} to HEAD`),
        protocol === 'https:' ? certificateFinding(reached.certificateEnds, now) : plainFinding(hostname),
        clockFinding(reached.clock),
      ];
  }
}

function brokenConnection(hostname: string, { addresses, code }: Extract<Reached, { kind: 'no_connection' }>): Finding {
  const at = `${hostname} (${addresses.join(', ')})`;
  const [tls, next] = tlsTrouble[code] ?? [];
  if (tls !== undefined) return wrong('TLS', `${at}: ${tls} (${code})`, next);
  const says = connectionTrouble[code] ?? 'the connection failed';
  const advice = 'Check gateway.base_url and its port, and that a firewall lets this machine out.';
  return wrong('connection', `${at}: ${says} (${code})`, advice, BASE_URL);
}

const connectionTrouble: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: 'nothing listens on this port',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to this address',
  ENETUNREACH: 'there is no way to this network',
  ETIMEDOUT: 'there is no answer',
  TimeoutError: 'no answer within ten seconds',
  ABORT_ERR: 'no answer within ten seconds',
  EPROTO: 'it does not speak TLS: is it plain HTTP?',
};

const OTHER_CHAIN = 'Have its operator mend the chain, or give Node the authority with NODE_EXTRA_CA_CERTS.';

/** What is wrong with a certificate, in words, and what to do. */
const tlsTrouble: Readonly<Record<string, readonly [string, string] | undefined>> = {
  CERT_HAS_EXPIRED: ['its certificate has expired', 'Tell the gateway’s operator; check this machine’s clock too.'],
  CERT_NOT_YET_VALID: ['its certificate is not valid yet', 'Check this machine’s clock.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['its certificate is for another name', 'Check the host in gateway.base_url.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['its certificate is signed by itself', OTHER_CHAIN],
  SELF_SIGNED_CERT_IN_CHAIN: ['its chain ends at an authority that this machine does not know', OTHER_CHAIN],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: ['its chain lacks a certificate between its own and the authority’s', OTHER_CHAIN],
  UNABLE_TO_GET_ISSUER_CERT: ['its chain is not complete', OTHER_CHAIN],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: ['its chain leads to an authority that this machine does not know', OTHER_CHAIN],
  CERT_REVOKED: ['its certificate was revoked', 'Tell the gateway’s operator.'],
  ERR_SSL_WRONG_VERSION_NUMBER: ['it does not speak TLS on this port', 'Check the port in gateway.base_url.'],
  ERR_SSL_UNSUPPORTED_PROTOCOL: ['it speaks no version of TLS that is safe', 'Tell the gateway’s operator.'],
};

const DAY_MS = 86_400_000;

function certificateFinding(ends: Date | undefined, now: Date): Finding {
  const check = 'TLS';
  if (ends === undefined) return ok(check, 'the certificate is valid');
  const days = Math.floor((ends.getTime() - now.getTime()) / DAY_MS);
  const finding: Finding = ok(check, `the certificate is valid for ${days} days more`);
  return days < 14 ? { ...finding, next: 'Ask the gateway’s operator whether it is renewed in time.' } : finding;
}

function plainFinding(hostname: string): Finding {
  const check = 'TLS';
  if (isLoopbackHost(hostname)) return ok(check, 'plain HTTP, on loopback');
  const says = 'plain HTTP: card numbers would cross the network for all to read';
  return wrong(check, says, 'Use the gateway’s https address.', BASE_URL);
}

/** What a shift of clocks does no harm. The header knows whole seconds only. */
const CLOCK_TOLERANCE_MS = 120_000;

function clockFinding(clock: { theirs: Date; ours: Date } | undefined): Finding {
  const check = 'clock';
  if (clock === undefined) return unknown(check, 'the gateway says no Date');
  const seconds = Math.round((clock.theirs.getTime() - clock.ours.getTime()) / 1000);
  const says =
    Math.abs(seconds) <= 1
      ? 'both clocks agree'
      : `the gateway’s clock is ${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'} this machine’s`;
  if (Math.abs(seconds) * 1000 <= CLOCK_TOLERANCE_MS) return ok(check, says);
  return wrong(check, says, 'Set this machine’s clock by NTP; if it is right, tell the gateway’s operator.');
}
