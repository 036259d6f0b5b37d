import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { configFile } from '../../relay/config/schema.ts';

const folder = join(import.meta.dirname, '../../deploy');
const unit = readFileSync(join(folder, 'turnpike-relay@.service'), 'utf8');

/** The values of a setting, in order. */
const valuesOf = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value ?? '');

it('and the backup’s units pass systemd’s checks', () => {
  const copies = mkdtempSync(join(tmpdir(), 'turnpike-units-'));
  const units = readdirSync(folder).filter((name) => /\.(service|timer)$/.test(name));
  expect(units).toHaveLength(3);
  for (const name of units) {
    // The program exists once the relay is installed.
    const text = readFileSync(join(folder, name), 'utf8').replaceAll(
      '/opt/turnpike/current/turnpike-relay',
      '/bin/true',
    );
    writeFileSync(join(copies, name), text);
  }
  const paths = units.map((name) => join(copies, name));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...paths], {
    encoding: 'utf8',
  });
  expect(`${stdout}${stderr}`).toBe('');
  expect(status).toBe(0);
});

it('has an exposure of at most 2.0 of 10', () => {
  const args = ['security', '--offline=true', '--no-pager', join(folder, 'turnpike-relay@.service')];
  const report = execFileSync('systemd-analyze', args, { encoding: 'utf8' });
  const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(report) ?? [];
  expect(Number(exposure)).toBeLessThanOrEqual(2);
});

it('lets the relay finish running requests before it is killed', () => {
  const account = {
    id: 'a',
    merchant_id: '1',
    account_id: '2',
    signing_secret: 's',
    allowed_origins: ['http://a.example'],
  };
  const key = { name: 'a', sha256: 'a'.repeat(64), scopes: ['*'] };
  const { gateway } = configFile.parse({
    public_url: 'http://a.example',
    gateway: { base_url: 'http://127.0.0.1' },
    accounts: [{ ...account, api_keys: [key] }],
  });
  expect(Number(valuesOf('TimeoutStopSec')[0]) * 1000).toBeGreaterThan(gateway.timeout_ms + 5000);
  expect(valuesOf('KillMode')).toEqual(['mixed']);
});

it('waits until the relay is ready, and checks its settings first', () => {
  expect(valuesOf('Type')).toEqual(['notify']);
  expect(valuesOf('NotifyAccess')).toEqual(['all']);
  // A migration of a large store may take hours.
  expect(valuesOf('TimeoutStartSec')).toEqual(['infinity']);
  expect(valuesOf('ExecStartPre')).toEqual(['/opt/turnpike/current/turnpike-relay check']);
});

it('copies the secrets of the running relay when it reloads', () => {
  const machine = mkdtempSync(join(tmpdir(), 'turnpike-reload-'));
  const write = (path: string, text: string): void => writeFileSync(join(machine, path), text);
  for (const name of ['credentials', 'secrets', 'turnpike-relay-8101']) mkdirSync(join(machine, name));
  const [line = ''] = valuesOf('ExecReload');
  // systemd hides the credentials from the commands of a reload, so the command reads them through /proc.
  expect(line).not.toMatch(/(?<!\/proc\/\$\{MAINPID\}\/root)%d/);
  const command = line
    .slice(1)
    .replaceAll('$$', '$')
    .replaceAll(/\$\{MAINPID\}/g, String(process.pid))
    .replaceAll('%d', join(machine, 'credentials'))
    .replaceAll('/etc/turnpike/secrets', join(machine, 'secrets'))
    .replaceAll('%t', machine)
    .replaceAll('%i', '8101');
  const reload = () => spawnSync('/bin/sh', ['-c', command], { stdio: 'ignore' }).status;
  // A reload must fail if the secrets are missing.
  expect(reload()).not.toBe(0);
  for (const name of ['store', 'elsewhere']) write(`credentials/${name}`, 'before');
  for (const name of ['store', 'another']) write(`secrets/${name}`, 'now');
  expect(reload()).toBe(0);
  const runtime = join(machine, 'turnpike-relay-8101');
  const copied = readdirSync(runtime).map((name) => [name, readFileSync(join(runtime, name), 'utf8')]);
  expect(Object.fromEntries(copied)).toEqual({ store: 'now', elsewhere: 'before' });
  rmSync(machine, { recursive: true });
});

it('fails a reload that the relay refuses', () => {
  const check = '/opt/turnpike/current/turnpike-relay check --reload';
  expect(valuesOf('ExecReload').slice(1)).toEqual(['/bin/kill -HUP $MAINPID', check]);
});

it('reads the operator’s variables from a file that upgrades never write', () => {
  expect(valuesOf('EnvironmentFile')).toEqual(['-/etc/turnpike/environment', '-/etc/turnpike/upgrade.env']);
  const pages = readdirSync(join(folder, '../docs')).filter((name) => name.endsWith('.md'));
  const texts = pages.map((name) => readFileSync(join(folder, '../docs', name), 'utf8'));
  expect(texts.filter((text) => text.includes('>/etc/turnpike/environment'))).toEqual([]);
  expect(texts.filter((text) => text.includes('>/etc/turnpike/upgrade.env'))).toHaveLength(1);
});

it('lets Node compile, and writes no core dump', () => {
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=yes/m);
  expect(valuesOf('LimitCORE')).toEqual(['0']);
  expect(valuesOf('UnsetEnvironment')).toEqual(['NODE_OPTIONS']);
});

it('has limits for its log that journald knows', () => {
  const namesIn = (text: string) => [...text.matchAll(/^#?([A-Z]\w+)=/gm)].map(([, name]) => name);
  const ours = namesIn(readFileSync(join(folder, 'journald@turnpike.conf'), 'utf8'));
  expect(namesIn(readFileSync('/etc/systemd/journald.conf', 'utf8'))).toEqual(expect.arrayContaining(ours));
  expect(ours).toEqual(expect.arrayContaining(['SystemMaxUse', 'MaxRetentionSec']));
  expect(valuesOf('LogNamespace')).toEqual(['turnpike']);
});
