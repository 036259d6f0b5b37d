import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { nginxSettings } from '../../test/support/http/nginx.ts';
import { until } from '../../test/support/time/until.ts';

/** False if nginx, or openssl which makes its certificate, is not installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0;
}

/**
 * Starts nginx with `deploy/nginx.conf` in front of relays on these two ports, which may start later. This process trusts its
 * certificate from now on, because the shoppers and the gateway's notifications connect from here.
 */
export async function startNginx(
  relayPorts: readonly [number, number],
): Promise<{ url: string; stop(): Promise<void> }> {
  const { path, folder, https, ca } = await nginxSettings(relayPorts);
  // An address is no name of TLS: its default server would refuse the connection.
  const ofThisMachine = readFileSync(path, 'utf8').replaceAll(
    'server_name pay.example',
    'server_name pay.example localhost',
  );
  // All shoppers have one address.
  writeFileSync(path, ofThisMachine.replace('rate=20r/s', 'rate=10000r/s'));
  const child = spawn('nginx', ['-c', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  setDefaultCACertificates([...getCACertificates(), ca]);
  const url = `https://localhost:${https}`;
  await until('nginx listens', () =>
    fetch(url).then(
      () => true,
      () => false,
    ),
  );
  return {
    url,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
