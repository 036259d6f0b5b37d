import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { nginxSettings } from '../../test/support/http/nginx.ts';
import { until } from '../../test/support/time/until.ts';

/** False where nginx, or openssl that makes its certificate, is not installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0 && spawnSync('openssl', ['version']).status === 0;
}

/**
 * nginx with `deploy/nginx.conf` before the relays on these two ports; they may start later. From now on this process trusts
 * its certificate: the shoppers reach nginx from here, and the gateway's notifications too.
 */
export async function startNginx(
  relayPorts: readonly [number, number],
): Promise<{ url: string; stop(): Promise<void> }> {
  const { path, folder, https, ca } = await nginxSettings(relayPorts);
  const child = spawn('nginx', ['-c', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  setDefaultCACertificates([...getCACertificates(), ca]);
  const url = `https://127.0.0.1:${https}`;
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
