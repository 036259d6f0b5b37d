import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { allRoutes } from '../../relay/routes/all.ts';
import { deployFiles } from '../../release/code.ts';

const folder = join(import.meta.dirname, '../../deploy');
const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');

const service = z.looseObject({
  image: z.string(),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  tmpfs: z.array(z.string()).min(1),
  logging: z.object({ options: z.object({ 'max-size': z.string(), 'max-file': z.string() }) }),
  environment: z.record(z.string(), z.string()).default({}),
  secrets: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  command: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  extra_hosts: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.literal('service_healthy') })).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  networks: z.union([
    z.array(z.string()).transform((names) => Object.fromEntries(names.map((name) => [name, null]))),
    z.record(z.string(), z.object({ ipv4_address: z.string() }).nullable()),
  ]),
  stop_grace_period: z.string().default('10s'),
});
const compose = z.strictObject({
  name: z.string(),
  'x-hardened': z.unknown(),
  'x-relay': z.unknown(),
  services: z.strictObject({
    postgres: service,
    'relay-1': service,
    'relay-2': service,
    nginx: service,
    backup: service,
  }),
  secrets: z.record(z.string(), z.strictObject({ file: z.string().startsWith('./secrets/') })),
  networks: z.record(z.string(), z.looseObject({ internal: z.boolean().optional() })),
  volumes: z.record(z.string(), z.null()),
});

it('the release contains the files of deploy/', () => {
  const listed = execFileSync('git', ['ls-files', '.'], { cwd: folder, encoding: 'utf8' });
  expect(listed.trim().split('\n')).toEqual(deployFiles);
});

describe('compose.yml', () => {
  const read = (): z.infer<typeof compose> => compose.parse(parse(textOf('compose.yml'), { merge: true }));

  it('hardens every service and limits its log', () => {
    const { services } = read();
    for (const { image } of Object.values(services)) expect(image).toMatch(/^\$\{\w+_IMAGE:-[\w.:-]+\}$/);
    expect(services.postgres.image).toContain('postgres:18');
  });

  it('waits for the dependencies of each service', () => {
    const { services } = read();
    expect(Object.keys(services.nginx.depends_on)).toEqual(['relay-1', 'relay-2']);
    for (const relay of [services['relay-1'], services['relay-2']]) {
      expect(Object.keys(relay.depends_on)).toEqual(['postgres']);
      expect(Number.parseInt(relay.stop_grace_period, 10)).toBeGreaterThan(35);
    }
    for (const one of [services.postgres, services.nginx]) expect(one.healthcheck?.test[0]).toBe('CMD');
    for (const relay of [services['relay-1'], services['relay-2']]) {
      const [, path = ''] = /\$\$PORT_RELAY(\/\w+)"$/.exec(relay.healthcheck?.test[1] ?? '') ?? [];
      expect(allRoutes.some((route) => route.path === path && route.tag === 'Relay')).toBe(true);
    }
  });

  it('passes secrets only as files, and names each that it uses', () => {
    const { services, secrets } = read();
    const used = new Set(Object.values(services).flatMap((one) => one.secrets));
    expect(used).toEqual(new Set(Object.keys(secrets)));
    for (const { environment } of Object.values(services)) {
      const open = Object.keys(environment).filter((name) => /PASSWORD|SECRET|KEY|TOKEN/.test(name));
      expect(open.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
    }
  });

  it('runs the same image in both relays', () => {
    const { services } = read();
    expect(services['relay-2'].image).toBe(services['relay-1'].image);
  });

  it('publishes only nginx, and the database only to the relays', () => {
    const { services, networks } = read();
    const { nginx } = services;
    expect(nginx.ports).toEqual(['0.0.0.0:80:80', '0.0.0.0:443:443']);
    expect(services.postgres.ports).toEqual([]);
    for (const name of ['relay-1', 'relay-2'] as const) {
      const { ports, environment } = services[name];
      expect(ports).toEqual([`127.0.0.1:${environment.PORT_RELAY}:${environment.PORT_RELAY}`]);
    }
    expect(networks.database).toEqual({ internal: true });
    expect(Object.keys(services.postgres.networks)).toEqual(['database']);
    expect(Object.keys(nginx.networks)).toEqual(['front']);
  });

  it('has the relays at the fixed addresses that nginx uses', () => {
    const { services } = read();
    const upstreams = [...textOf('nginx.conf').matchAll(/server ([\w-]+):(\d+) max_fails/g)].map(([, host, port]) => [
      host,
      port,
    ]);
    const relays = (['relay-1', 'relay-2'] as const).map((name) => [name, services[name].environment.PORT_RELAY]);
    expect(upstreams).toEqual(relays);
    const addresses = [services['relay-1'], services['relay-2'], services.nginx].map(({ networks }) => networks.front);
    expect(new Set(addresses.map((one) => one?.ipv4_address)).size).toBe(3);
    const hosts = (['relay-1', 'relay-2'] as const).map(
      (name) => `${name}:${services[name].networks.front?.ipv4_address}`,
    );
    expect(services.nginx.extra_hosts).toEqual(hosts);
  });

  it('backs up with backup.sh, whose files and folders are mounted', () => {
    const { command, volumes, secrets, networks } = read().services.backup;
    expect(command.slice(0, 3)).toEqual(['sh', '/scripts/backup.sh', '/run/secrets/store']);
    const targets = volumes.map((one) => one.replace(/^\$\{[^}]*\}|^[^:]*/, '').split(':')[1]);
    expect(targets).toEqual(['/scripts/backup.sh', '/scripts/store.sh', '/backups', '/metrics']);
    expect(command.slice(3)).toEqual(['/backups', '14', '/metrics/turnpike_backup.prom']);
    expect({ secrets, networks: Object.keys(networks) }).toEqual({ secrets: ['store'], networks: ['database'] });
  });

  it('mounts only files of this folder or of the operator', () => {
    const own = ['./relay.json', './tls', './acme', './previous'];
    const mounted = Object.values(read().services).flatMap(({ volumes }) =>
      volumes.map((one) => one.split(':')[0] ?? ''),
    );
    const files = mounted.filter((path) => path.startsWith('./') && !own.includes(path));
    expect(files).toEqual(['./nginx.conf', './backup.sh', './store.sh']);
    for (const path of files) expect(existsSync(join(folder, path))).toBe(true);
  });
});
