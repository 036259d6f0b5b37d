import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';
import { bare, isLoopbackHost } from '../../relay/gateway/issuer/addresses.ts';
import { networkTrouble } from '../base/network-trouble.ts';
import { type Finding, ok, unknown, wrong } from './finding.ts';

/** The result of a connection to the gateway's address, without a message or an account. */
type Reached =
  | { kind: 'no_name'; code: string }
  | { kind: 'no_connection'; addresses: readonly string[]; code: string }
  | {
      kind: 'answered';
      addresses: readonly string[];
      status: number;
      /** Its `Date` header, and the middle of the time between request and answer. */
      clock?: { theirs: Date; ours: Date };
      certificateEnds?: Date;
    };

const LIMIT_MS = 10_000;

/** Resolves the gateway's name, connects, and sends a HEAD request. Never throws. */
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

/** The findings of the connection, one for each check. */
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

const GATEWAY = { address: 'gateway.base_url', operator: 'the gateway’s operator' };

function brokenConnection(hostname: string, { addresses, code }: Extract<Reached, { kind: 'no_connection' }>): Finding {
  const at = `${hostname} (${addresses.join(', ')})`;
  const trouble = networkTrouble(code, GATEWAY);
  if (trouble?.isTls) return wrong('TLS', `${at}: ${trouble.says}`, trouble.next);
  const says = trouble?.says ?? `the connection failed (${code})`;
  return wrong('connection', `${at}: ${says}`, trouble?.next ?? 'Check gateway.base_url and its port.', BASE_URL);
}

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

/** The tolerated clock difference. The header has whole seconds. */
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
