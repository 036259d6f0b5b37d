import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../test/support/time/until.ts';

/** False where nginx is not installed. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0;
}

/** nginx before relays, with the settings of deploy/nginx.conf that decide what becomes of a request whose relay fails. */
export async function startNginx(
  relays: readonly string[],
  port: number,
  folder: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  chmodSync(folder, 0o755);
  const path = join(folder, 'nginx.conf');
  writeFileSync(path, configOf(relays, port, folder));
  const child = spawn('nginx', ['-c', path, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  process.once('exit', () => child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}`;
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
    },
  };
}

function configOf(relays: readonly string[], port: number, folder: string): string {
  const servers = relays.map((url) => `server ${new URL(url).host} max_fails=0;`);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  return `daemon off; worker_processes 1; pid ${join(folder, 'nginx.pid')}; error_log ${join(folder, 'nginx.log')};
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.join(' ')}
  upstream turnpike { zone turnpike 64k; ${servers.join(' ')} keepalive 32; keepalive_timeout 4s; }
  map "$status$upstream_http_retry_after" $retry_after { 503 2; default ""; }
  server {
    listen 127.0.0.1:${port};
    add_header Retry-After $retry_after always;
    client_body_buffer_size 1m;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    proxy_set_header Host $host;
    proxy_set_header X-Forwarded-For $remote_addr;
    proxy_connect_timeout 2s;
    proxy_read_timeout 120s;
    proxy_next_upstream error timeout;
    proxy_next_upstream_tries 2;
    proxy_next_upstream_timeout 5s;
    location / { proxy_pass http://turnpike; }
    error_page 502 504 =503 @no_relay;
    location @no_relay {
      internal;
      default_type application/problem+json;
      return 503 '{"type":"about:blank","title":"No relay answered","status":503}';
    }
  }
}
`;
}
