import type { Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Resolve } from '../../../relay/gateway/issuer/addresses.ts';
import {
  type Browser,
  type Destination,
  followIssuerUrl,
  type IssuerSettings,
} from '../../../relay/gateway/issuer/issuer.ts';
import { serve } from '../http/http-server.ts';
import { tcpServer } from '../http/tcp-server.ts';

export const settings: IssuerSettings = {
  follow: 'last',
  allow_hosts: ['*'],
  allow_schemes: [],
  allow_private: true,
  max_hops: 5,
  timeout_ms: 30_000,
};

/** A shopper's browser, by its headers. */
export const browser: Browser = {
  'user-agent':
    'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
  'accept-language': 'pt-BR,pt;q=0.9',
};

/** Follows an issuer_url for that browser; the shopper pays with a card if its masked number is given. */
export function follow(address: string, by: IssuerSettings, resolve?: Resolve, card?: string): Promise<Destination> {
  return followIssuerUrl(address, by, { browser, card }, resolve);
}

/** A call that ends with these limits within a test's time did not wait for them. */
export const longTimeouts: IssuerSettings = { ...settings, timeout_ms: 600_000 };

/** An issuer whose paths redirect as in the table; any other path is a page. */
export async function issuer(leadsTo: Record<string, string>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = await serve((req, res) => {
    const path = req.url ?? '';
    asked.push(`${req.method} ${path}`);
    const location = leadsTo[path];
    if (location === undefined) res.end('<h1>Bank</h1>');
    else res.writeHead(302, { location }).end();
  });
  onTestFinished(server.close);
  return { url: server.url, asked };
}

/** An issuer of bare sockets: answers everything with these bytes, then calls `goOn`. */
export async function rawIssuer(bytes: string, goOn: (socket: Socket) => void = () => undefined): Promise<string> {
  const server = await tcpServer((socket) => socket.on('data', () => socket.write(bytes, () => goOn(socket))));
  onTestFinished(server.close);
  return `http://127.0.0.1:${server.port}/a`;
}

/** A DNS that returns each of these answers in turn, then repeats the last one. */
export function dnsOf(...answers: string[][]): { resolve: Resolve; asked: string[] } {
  const asked: string[] = [];
  const resolve: Resolve = async (hostname) => {
    asked.push(hostname);
    const found = answers[Math.min(asked.length, answers.length) - 1] ?? [];
    return found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { resolve, asked };
}

export const follows = ['last', 'first', 'none'] as const;
export const isPublic = { ...settings, allow_private: false };
