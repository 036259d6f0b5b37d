import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { freePort } from '../../support/http/free-port.ts';

const deploy = join(import.meta.dirname, '../../../deploy');

const found = z.object({ data: z.object({ result: z.array(z.looseObject({})) }) });
const alerts = z.object({
  data: z.object({
    alerts: z.array(
      z.object({
        state: z.string(),
        labels: z.record(z.string(), z.string()),
        annotations: z.record(z.string(), z.string()),
      }),
    ),
  }),
});

/** Debian's Prometheus with the settings and the rules of deploy/, and Debian's exporters. */
export type Monitoring = {
  /** How many series a selector finds. */
  seriesOf(selector: string): Promise<number>;
  /** The alerts that fire, with the summary of each. */
  firing(): Promise<{ name: string; summary: string }[]>;
  close(): Promise<void>;
};

/**
 * Starts them. Each server of PostgreSQL has an exporter. One node exporter and one checkout are not there; the other checkout has a
 * certificate for two days, and the last backup is two days old.
 * @param changed the rules as they are to be evaluated
 */
export async function startMonitoring(
  servers: readonly string[],
  changed: (rules: string) => string,
): Promise<Monitoring> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-monitoring-'));
  const path = (name: string): string => join(folder, name);
  const checkout = await startCheckout(folder);
  const children: { kill(): void }[] = [];
  const run = async (
    program: string,
    args: (address: string) => string[],
    env: NodeJS.ProcessEnv = {},
  ): Promise<string> => {
    const address = `127.0.0.1:${await freePort()}`;
    const options = { cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' } as const;
    const child = spawn(program, args(address), options);
    const kill = (): void => void child.kill('SIGKILL');
    process.once('exit', kill);
    children.push({ kill });
    return address;
  };

  mkdirSync(path('backups'));
  const backup = `turnpike_backup_timestamp_seconds ${Math.floor(Date.now() / 1000) - 2 * 86_400}`;
  writeFileSync(path('backups/turnpike.prom'), `# TYPE turnpike_backup_timestamp_seconds gauge\n${backup}\n`);
  const node = await run('prometheus-node-exporter', (address) => [
    `--web.listen-address=${address}`,
    `--collector.textfile.directory=${path('backups')}`,
  ]);
  const http = { valid_status_codes: [200], tls_config: { ca_file: checkout.certificate } };
  writeFileSync(path('blackbox.yml'), JSON.stringify({ modules: { http_2xx: { prober: 'http', http } } }));
  const blackbox = await run('prometheus-blackbox-exporter', (address) => [
    `--config.file=${path('blackbox.yml')}`,
    `--web.listen-address=${address}`,
  ]);
  const postgres: string[] = [];
  for (const DATA_SOURCE_NAME of servers) {
    const args = (address: string): string[] => [`--web.listen-address=${address}`];
    postgres.push(await run('prometheus-postgres-exporter', args, { DATA_SOURCE_NAME }));
  }

  const gone = `127.0.0.1:${await freePort()}`;
  const targets = (addresses: readonly string[]): string => addresses.map((one) => `'${one}'`).join(', ');
  const settings = readFileSync(join(deploy, 'prometheus.yml'), 'utf8')
    // A scrape that cannot connect to PostgreSQL takes a second.
    .replaceAll('15s', '3s')
    .replace("'127.0.0.1:9100'", targets([node, gone]))
    .replace("'127.0.0.1:9187'", targets(postgres))
    .replace("'https://pay.example/embed.json'", targets([checkout.url, `https://${gone}/embed.json`]))
    .replace('127.0.0.1:9115', blackbox);
  writeFileSync(path('prometheus.yml'), settings);
  writeFileSync(path('alerts.yml'), changed(readFileSync(join(deploy, 'alerts.yml'), 'utf8')));
  const prometheus = await run('prometheus', (address) => [
    `--config.file=${path('prometheus.yml')}`,
    `--storage.tsdb.path=${path('data')}`,
    `--web.listen-address=${address}`,
  ]);
  const get = async (what: string): Promise<unknown> => (await fetch(`http://${prometheus}/api/v1/${what}`)).json();

  return {
    async seriesOf(selector) {
      const answer = await get(`query?query=${encodeURIComponent(selector)}`);
      return found.parse(answer).data.result.length;
    },
    async firing() {
      const all = alerts.parse(await get('alerts')).data.alerts;
      return all
        .filter(({ state }) => state === 'firing')
        .map(({ labels, annotations }) => ({ name: labels.alertname ?? '', summary: annotations.summary ?? '' }));
    },
    async close() {
      for (const child of children) child.kill();
      await checkout.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

/** A server of the checkout's address, with a certificate for two days. */
async function startCheckout(folder: string) {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=pay.example', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', ...kind, '-keyout', key, '-out', certificate, ...subject], { stdio: 'pipe' });
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  const server = createServer(pair, (_req, res) => void res.end('{}'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    certificate,
    url: `https://127.0.0.1:${portOf(server.address())}/embed.json`,
    close: async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0;
}
