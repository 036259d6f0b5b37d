import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { LookupFunction } from 'node:net';
import { join } from 'node:path';
import type { SecureContextOptions } from 'node:tls';
import { onTestFinished } from 'vitest';
import { bodyOf } from '../support/http/http-server.ts';
import { nginxSettings } from '../support/http/nginx.ts';
import { until } from '../support/time/until.ts';

const PROGRAM = '/usr/sbin/nginx';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Asked = {
  headers?: Record<string, string>;
  body?: string;
  /** The client's address. */
  from?: string;
  /** The host of the TLS handshake, and what the client can do of TLS. */
  servername?: string;
  tls?: Pick<SecureContextOptions, 'ciphers' | 'minVersion' | 'maxVersion'>;
};

/** The output of `nginx -t` for settings. Throws if it finds errors. */
export function checkNginx({ path }: { path: string }): string {
  const { PATH } = process.env;
  return execFileSync('/bin/sh', ['-c', '"$0" -t -c "$1" 2>&1', PROGRAM, path], { encoding: 'utf8', env: { PATH } });
}

/** Runs nginx before these relays, for one test. */
export async function startNginx(relayPorts: readonly [number, number], rate?: string) {
  const settings = await nginxSettings(relayPorts, rate);
  const child = spawn(PROGRAM, ['-c', settings.path], { stdio: 'ignore' });
  const isListening = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${checkNginx(settings)}`);
    return ask('GET', '/', {}, false).then(Boolean, () => false);
  };
  onTestFinished(async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
  const { http, https, ca, folder } = settings;
  const open = async (method: string, path: string, asked: Asked = {}, isSecure = true): Promise<IncomingMessage> => {
    const { headers = {}, body, from, servername = 'pay.example', tls = {} } = asked;
    const options = {
      ...{ method, path, host: '127.0.0.1', agent: false as const },
      headers: { host: 'pay.example', ...(body === undefined ? {} : { 'content-length': body.length }), ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
    };
    const sent = isSecure
      ? secure({ ...options, ...tls, port: https, ca, servername })
      : plain({ ...options, port: http });
    sent.end(body);
    return new Promise((done, fail) => sent.once('response', done).once('error', fail));
  };
  const ask = async (...asked: Parameters<typeof open>): Promise<Answer> => {
    const response = await open(...asked);
    return { status: response.statusCode ?? 0, headers: response.headers, text: await bodyOf(response) };
  };
  await until('nginx listens', isListening);
  return {
    folder,
    /** Its address by the certificate, for a client that connects with `trusted`. */
    url: `https://pay.example:${https}`,
    trusted: {
      ca,
      lookup: ((_host, _options, found) => found(null, [{ address: '127.0.0.1', family: 4 }])) satisfies LookupFunction,
    },
    ask,
    askPlainly: (method: string, path: string) => ask(method, path, {}, false),
    /** The first part of a streamed answer. */
    firstBytes: async (path: string) => String((await once(await open('GET', path), 'data'))[0]),
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8'),
  };
}
