import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { freePort } from '../support/http/free-port.ts';
import { bodyOf } from '../support/http/http-server.ts';
import { until } from '../support/time/until.ts';

const PROGRAM = '/usr/sbin/nginx';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };
type Asked = { headers?: Record<string, string>; body?: string /** The client's address. */; from?: string };

/** `deploy/nginx.conf` with a throwaway certificate, free ports, files of a new folder, and these relays. Not started. */
export async function nginxSettings(relayPorts: readonly [number, number]) {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'));
  const [http, https] = [await freePort(), await freePort()];
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=pay.example', '-addext', 'subjectAltName=DNS:pay.example'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'pipe' });
  const site = readFileSync(join(import.meta.dirname, '../../deploy/nginx.conf'), 'utf8')
    .replace('relay-1:8101', `127.0.0.1:${relayPorts[0]}`)
    .replace('relay-2:8102', `127.0.0.1:${relayPorts[1]}`)
    .replace('/etc/turnpike/tls/fullchain.pem', certificate)
    .replace('/etc/turnpike/tls/privkey.pem', key)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replaceAll(/^.*listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const path = join(folder, 'nginx.conf');
  // As root its workers are root too: the folder of the tests is open to nobody else.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/main.log;`;
  writeFileSync(path, `${main} events {} http { access_log off; ${temporary}\n${site}\n}`);
  return { folder, path, http, https, ca: readFileSync(certificate) };
}

/** What `nginx -t` says of settings. Throws where it finds them wrong. */
export function checkNginx({ path }: { path: string }): string {
  const { PATH } = process.env;
  return execFileSync('/bin/sh', ['-c', '"$0" -t -c "$1" 2>&1', PROGRAM, path], { encoding: 'utf8', env: { PATH } });
}

/** Runs nginx before these relays, for one test. */
export async function startNginx(relayPorts: readonly [number, number]) {
  const settings = await nginxSettings(relayPorts);
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
    const { headers = {}, body, from } = asked;
    const options = {
      ...{ method, path, host: '127.0.0.1', agent: false as const },
      headers: { host: 'pay.example', ...(body === undefined ? {} : { 'content-length': body.length }), ...headers },
      ...(from === undefined ? {} : { localAddress: from }),
    };
    const sent = isSecure
      ? secure({ ...options, port: https, ca, servername: 'pay.example' })
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
    ask,
    askPlainly: (method: string, path: string) => ask(method, path, {}, false),
    /** What comes first of an answer that goes on. */
    firstBytes: async (path: string) => String((await once(await open('GET', path), 'data'))[0]),
    accessLog: () => readFileSync(join(folder, 'access.log'), 'utf8'),
  };
}
