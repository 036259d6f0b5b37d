import { type ChildProcess, exec, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { signSums } from '../../release/sign.ts';
import { demoMerchant } from '../../sandbox/demo.ts';
import { createGateway } from '../../sandbox/gateway/gateway.ts';
import { freePort } from '../support/http/free-port.ts';
import { bodyOf, serve } from '../support/http/http-server.ts';
import { startPostgres } from '../support/stores/postgres.ts';
import { until } from '../support/time/until.ts';
import { debianPrograms } from './debian-postgres.ts';

const root = join(import.meta.dirname, '../..');

/** A path that `here` did not replace with one in the folder. */
const OF_THIS_MACHINE = /(?:^|[\s"'=<>|])\/(?:etc|opt|var|usr|root|home|srv)\b/m;

/** A Debian machine for the blocks of docs/deploy.md. */
export type DocumentedMachine = {
  /** Runs a block with bash, after the previous blocks. Fails if a command fails. Returns the output. */
  run(code: string): Promise<string>;
  /** Runs it in a copy of the folder deploy/. */
  runInDeploy(code: string): Promise<string>;
  close(): Promise<void>;
};

/**
 * A folder represents the machine's root, and free ports replace those of the page. nginx, PostgreSQL, the relays and
 * the scripts are real. `systemctl` starts what the units name; `apt-get` and `docker` do nothing.
 */
export async function documentedMachine(): Promise<DocumentedMachine> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-machine-'));
  const postgres = await startPostgres({ programs: debianPrograms(), owner: 'postgres' });
  const address = new URL(postgres.addressOf('postgres'));
  const gateway = await serve((req, res) => gatewayApp(req, res));
  const { app: gatewayApp } = createGateway({ merchants: [demoMerchant], publicUrl: () => gateway.url });
  const [one, two, http, https] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);

  /** A text of the page or of deploy/, adapted to this folder. */
  const here = (text: string): string =>
    text
      .replaceAll(/(?<![\w.$}])\/(etc|opt|var|usr\/local)\//g, `${folder}/$1/`)
      .replaceAll('127.0.0.1:8081', `127.0.0.1:${gateway.port}`)
      .replaceAll('127.0.0.1:5432', `127.0.0.1:${address.port}`)
      .replaceAll('8101', String(one))
      .replaceAll('8102', String(two))
      .replaceAll(/relay-[12]:/g, '127.0.0.1:')
      .replaceAll('pay.example:443:', `pay.example:${https}:`)
      .replaceAll('https://pay.example$1', `https://pay.example:${https}$1`)
      .replaceAll(/^.*listen \[::\].*\n/gm, '')
      .replaceAll('listen 80', `listen 127.0.0.1:${http}`)
      .replaceAll('listen 443 ', `listen 127.0.0.1:${https} `);

  for (const path of [
    'etc/systemd/system',
    'etc/nginx/sites-available',
    'etc/nginx/sites-enabled',
    'etc/prometheus',
    'etc/default',
    'bin',
    'work',
  ]) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  mkdirSync(join(folder, 'var/log/nginx'), { recursive: true });
  mkdirSync(join(folder, 'var/lib/turnpike'), { recursive: true });
  makeArchive(join(folder, 'work'), here);
  signArchive(join(folder, 'work'), join(folder, 'etc/turnpike'));
  const services = createServices(folder);
  const manager = createServer(async (req, res) => {
    const { ok, said } = await services.run((await bodyOf(req)).trim().split('\n')).then(
      (printed) => ({ ok: true, said: printed }),
      (error: unknown) => ({ ok: false, said: String(error) }),
    );
    res.writeHead(ok ? 200 : 500).end(said);
  });
  manager.listen(join(folder, 'systemctl.socket'));
  await once(manager, 'listening');
  makePrograms(folder, address);

  const run = async (code: string, cwd: string): Promise<string> => {
    const PATH = [join(folder, 'bin'), join(root, 'node_modules/node/bin'), process.env.PATH, '/usr/sbin'].join(
      delimiter,
    );
    const state = join(folder, 'state');
    const block = here(code);
    if (OF_THIS_MACHINE.test(block)) throw new Error(`a block would write to this machine itself:\n${block}`);
    const script = `cd ${cwd}; . ${state} 2>/dev/null; set -euo pipefail\n${block}\n{ declare -p api_key; declare -f shop pay; } >${state} || true\n`;
    const { NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, HOME: folder, NODE_COMPILE_CACHE };
    const shell = spawn('bash', ['-c', script], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (data) => (output += String(data)));
    const [exitCode] = await once(shell, 'close');
    expect(exitCode, output).toBe(0);
    return output;
  };
  return {
    run: (code) => run(code, join(folder, 'work')),
    runInDeploy: (code) => {
      const copy = join(folder, 'work/docker');
      cpSync(join(root, 'deploy'), copy, { recursive: true });
      return run(code, copy);
    },
    async close() {
      await services.close();
      manager.close();
      manager.closeAllConnections();
      await gateway.close();
      await postgres.close();
    },
  };
}

/** An archive like the release's, whose commands run the code of this folder. */
function makeArchive(work: string, here: (text: string) => string): void {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const title = `turnpike-relay-${version}`;
  const folder = join(work, title);
  cpSync(join(root, 'deploy'), join(folder, 'deploy'), { recursive: true });
  for (const name of ['nginx.conf', 'prometheus.yml', 'turnpike-relay@.service', 'turnpike-backup.service']) {
    writeFileSync(join(folder, 'deploy', name), here(readFileSync(join(root, 'deploy', name), 'utf8')));
  }
  const relay = [
    `rolling-restart) exec sh "${root}/deploy/rolling-restart.sh" ;;`,
    `check) exec node "${root}/relay/check.ts" $2 ;;`,
    `*) exec node "${root}/relay/main.ts" ;;`,
  ];
  writeProgram(join(folder, 'turnpike-relay'), ['case $1 in', ...relay, 'esac'].join('\n'));
  writeProgram(join(folder, 'turnpike'), `exec node "${root}/cli/main.ts" "$@"`);
  execFileSync('tar', ['-czf', `${title}.tar.gz`, title], { cwd: work });
  execFileSync('sh', ['-c', `sha256sum ${title}.tar.gz >SHA256SUMS; rm -r ${title}`], { cwd: work });
}

/** Signs the checksums, and puts the list of the keys that count if the page has it. */
function signArchive(work: string, settings: string): void {
  const key = join(work, 'key');
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  signSums(join(work, 'SHA256SUMS'), key);
  mkdirSync(settings, { recursive: true });
  writeFileSync(join(settings, 'signers'), `releases@shop.example ${readFileSync(`${key}.pub`, 'utf8')}`);
}

function writeProgram(path: string, code: string): void {
  writeFileSync(path, `#!/bin/sh\n${code}\n`);
  chmodSync(path, 0o755);
}

/** The stand-ins for programs of a real machine. */
function makePrograms(folder: string, { port, password }: URL): void {
  const bin = join(folder, 'bin');
  for (const name of ['apt-get', 'docker', 'chown']) writeProgram(join(bin, name), 'exit 0');
  // `runuser -u postgres -- COMMAND`
  const login = `PGHOST=127.0.0.1 PGPORT=${port} PGUSER=postgres PGPASSWORD=${password}`;
  writeProgram(join(bin, 'runuser'), `shift 3; ${login} exec "$@"`);
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/tmp-${name};`,
  );
  writeFileSync(
    join(folder, 'etc/nginx/nginx.conf'),
    `${user} worker_processes 1; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log; events {}
http { access_log off; ${temporary.join(' ')} include ${folder}/etc/nginx/sites-enabled/*; }\n`,
  );
  writeProgram(join(bin, 'nginx'), `exec /usr/sbin/nginx -c ${folder}/etc/nginx/nginx.conf "$@"`);
  const send = `curl -sS --fail-with-body --unix-socket ${folder}/systemctl.socket --data-binary @- http://localhost/`;
  writeProgram(join(bin, 'systemctl'), `printf '%s\\n' "$@" | ${send}`);
}

/** A process of a service, and the environment that its unit gives. */
type Service = { child: ChildProcess; env: NodeJS.ProcessEnv };

/** Services as managed by `systemctl`: a killed relay is restarted. */
function createServices(folder: string) {
  const running = new Map<string, Service>();
  const starting = new Map<string, Promise<void>>();
  const stopping = new Set<string>();

  const start = async (name: string): Promise<void> => {
    const begun = starting.get(name) ?? begin(name).finally(() => starting.delete(name));
    starting.set(name, begun);
    await begun;
  };
  const begin = async (name: string): Promise<void> => {
    if (running.has(name) || /\.timer$|^prometheus/.test(name)) return;
    const { command, check, env, cwd } = commandOf(folder, name);
    if (check) await promisify(exec)(check, { cwd, env });
    const child = spawn('/bin/sh', ['-c', `exec ${command}`], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    if (name.startsWith('turnpike-backup')) {
      const [code] = await once(child, 'exit');
      if (code !== 0) throw new Error(`${name} ended with ${code}`);
      return;
    }
    running.set(name, { child, env });
    child.once('exit', () => {
      running.delete(name);
      if (!stopping.has(name)) start(name).catch(() => undefined);
    });
    // nginx writes it once it listens; `nginx -t` leaves an empty one.
    const pid = join(folder, 'nginx.pid');
    const isListening = (): boolean => existsSync(pid) && readFileSync(pid, 'utf8').trim() === String(child.pid);
    if (name === 'nginx') await until('nginx listens', isListening);
    const port = name.split('@')[1];
    if (port === undefined) return;
    await Promise.race([once(child, 'message'), once(child, 'exit')]);
    await until(`${name} is ready`, () => isReady(port, child));
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} does not start`);
  };
  const stop = async (name: string): Promise<void> => {
    const child = running.get(name)?.child;
    if (!child) return;
    stopping.add(name);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    stopping.delete(name);
  };
  return {
    /** Returns what the command prints. */
    async run([verb, ...words]: string[]): Promise<string> {
      const names = words.filter((word) => !word.startsWith('--'));
      if (verb === 'show') return 'notify\n';
      if (verb === 'list-units') {
        const relays = [...running.keys()].filter((name) => name.includes('@')).toSorted();
        return relays.map((name) => `${name}.service loaded active running Turnpike relay\n`).join('');
      }
      const each = async (name: string): Promise<void> => {
        const service = running.get(name);
        if (verb === 'reload' && service && name.includes('@')) return reload(folder, name, service);
        if (verb === 'kill') return void service?.child.kill('SIGKILL');
        if (verb === 'stop' || verb === 'restart') await stop(name);
        if (verb !== 'stop') await start(name);
      };
      await Promise.all(names.map((name) => each(name.replace(/(@\d+)\.service$/, '$1'))));
      return '';
    },
    close: () => Promise.all([...running.keys()].map(stop)),
  };
}

/** Whether a relay accepts payments or has ended. */
async function isReady(port: string, child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return true;
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Runs the commands of a reload. As systemd does, it hides the credentials from them, except those in the view of the relay's process. */
async function reload(folder: string, name: string, { child, env }: Service): Promise<void> {
  const unit = readFileSync(join(folder, 'etc/systemd/system', `${name.split('@')[0]}@.service`), 'utf8');
  for (const [, command = ''] of unit.matchAll(/^ExecReload=\+?(.+)$/gm)) {
    const visible = command.replaceAll(/(?<!\/root)%d/g, '/run/credentials-hidden');
    const text = specified(visible, folder, name).replaceAll('$$', '$');
    await promisify(exec)(text.replaceAll(/\$\{?MAINPID\}?/g, String(child.pid)), { env });
  }
}

/** A setting with the values of systemd's specifiers. */
function specified(text: string, folder: string, name: string): string {
  return text
    .replaceAll('%d', join(folder, 'credentials', name))
    .replaceAll('%t', join(folder, 'run'))
    .replaceAll('%i', name.split('@')[1] ?? '')
    .replaceAll('%H', 'machine');
}

/** The command that the unit of a service runs, and the one that it runs before, if any. */
function commandOf(
  folder: string,
  name: string,
): { command: string; check?: string; env: NodeJS.ProcessEnv; cwd: string } {
  const PATH = [join(root, 'node_modules/node/bin'), process.env.PATH].join(delimiter);
  const cwd = join(folder, 'var/lib/turnpike');
  if (name === 'nginx') return { command: join(folder, 'bin/nginx'), env: { PATH }, cwd };
  const [template = '', instance = ''] = name.split('@');
  const file = instance ? `${template}@.service` : name;
  const unit = readFileSync(join(folder, 'etc/systemd/system', file), 'utf8');
  const settingOf = (setting: string): string => new RegExp(`^${setting}=(.+)$`, 'm').exec(unit)?.[1] ?? '';
  const given = specified(settingOf('Environment'), folder, name).split(' ');
  const lines = [...unit.matchAll(/^EnvironmentFile=-(.+)$/gm)].flatMap(([, more = '']) =>
    existsSync(more) ? readFileSync(more, 'utf8').trim().split('\n') : [],
  );
  if (settingOf('RuntimeDirectory')) {
    const runtime = specified(`%t/${settingOf('RuntimeDirectory')}`, folder, name);
    rmSync(runtime, { recursive: true, force: true });
    mkdirSync(runtime, { recursive: true });
  }
  const env = Object.fromEntries([...given, ...lines].filter(Boolean).map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  const CREDENTIALS_DIRECTORY = join(folder, 'credentials', name);
  for (const [, id = '', path = ''] of unit.matchAll(/^LoadCredential=([\w-]+):(.+)$/gm)) {
    mkdirSync(CREDENTIALS_DIRECTORY, { recursive: true });
    cpSync(path, join(CREDENTIALS_DIRECTORY, id));
  }
  const { NODE_COMPILE_CACHE } = process.env;
  return {
    command: settingOf('ExecStart'),
    check: settingOf('ExecStartPre'),
    env: { PATH, NODE_COMPILE_CACHE, ...env, CREDENTIALS_DIRECTORY },
    cwd,
  };
}
