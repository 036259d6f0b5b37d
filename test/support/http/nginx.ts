import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

/**
 * Writes `deploy/nginx.conf` with a throwaway certificate, free ports, files of a new folder, and these relays. Does
 * not start it.
 * @param rate the shoppers' requests that it allows, in nginx's form
 */
export async function nginxSettings(relayPorts: readonly [number, number], rate = '20r/s') {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'));
  const [http, https] = [await freePort(), await freePort()];
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', '/CN=pay.example', '-addext', 'subjectAltName=DNS:pay.example,DNS:localhost,IP:127.0.0.1'];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'pipe' });
  const site = readFileSync(join(import.meta.dirname, '../../../deploy/nginx.conf'), 'utf8')
    .replace('relay-1:8101', `127.0.0.1:${relayPorts[0]}`)
    .replace('relay-2:8102', `127.0.0.1:${relayPorts[1]}`)
    .replace('rate=20r/s', `rate=${rate}`)
    .replace('/etc/turnpike/tls/fullchain.pem', certificate)
    .replace('/etc/turnpike/tls/privkey.pem', key)
    .replaceAll('/var/log/nginx/', `${folder}/`)
    .replaceAll(/^.*listen \[::\].*\n/gm, '')
    .replaceAll('listen 80', `listen 127.0.0.1:${http}`)
    .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join(' ');
  const path = join(folder, 'nginx.conf');
  // As root its workers are root too: only root may enter the folder of the tests.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const main = `${user} worker_processes 1; daemon off; pid ${folder}/pid; error_log ${folder}/main.log;`;
  writeFileSync(path, `${main} events { worker_connections 2048; } http { access_log off; ${temporary}\n${site}\n}`);
  return { folder, path, http, https, ca: readFileSync(certificate) };
}
