import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { version } from '../../package.json' with { type: 'json' };
import { blocksOf, runBlocks } from '../support/docs/doc-blocks.ts';
import { until } from '../support/time/until.ts';
import { type DocumentedMachine, documentedMachine } from './machine.ts';

const page = 'docs/deploy.md';
const manifests = join(import.meta.dirname, '../../deploy/kubernetes');
const image = `turnpike-relay-${version}-linux-amd64.oci.tar`;

let machine: DocumentedMachine;
beforeAll(async () => {
  machine = await documentedMachine();
});
afterAll(() => machine?.close());

const run = (code: string): Promise<string> => machine.run(code);

/** The statuses of a block's payments, in the order of its output lines. What a relay has lost depends on the machine. */
const statuses = (output: string): string[] =>
  [...output.replaceAll(/"lost":\[.*?\]/g, '').matchAll(/"(?:status|code)":"(\w+)"/g)].map(([, word = '']) => word);

/** Makes the programs of a block that get secrets print their arguments, which every user of the machine sees. */
const WITH_ARGUMENTS = ['curl', 'sed', 'install']
  .map((name) => `${name}() { printf 'argument %s\\n' "$@"; command ${name} "$@"; }\n`)
  .join('');

/** The modes of the files of secrets. */
const MODES = 'stat -c %a /etc/turnpike/secrets/*\n';

/** How many relays a rolling restart has restarted. */
const restarted = (output: string): number => [...output.matchAll(/^turnpike-relay@\d+\.service is ready$/gm)].length;

runBlocks(page, [
  { language: 'sh', says: 'apt-get update', run },
  { language: 'sh', says: 'https://nodejs.org', run: () => expect(blocksOf(page)[1]?.code).toMatch(/node-v(\d\d)\./) },
  {
    language: 'sh',
    says: 'ssh-keygen -Y verify',
    run: async (code) =>
      expect(await run(code)).toMatch(/^Good "turnpike-release" signature for releases@shop\.example /),
  },
  { language: 'sh', says: 'sha256sum --check --ignore-missing SHA256SUMS', run },
  { language: 'sh', says: 'CREATE ROLE', run },
  {
    language: 'sh',
    says: 'cat >/etc/turnpike/relay.json',
    run: async (code) => expect(await run(`umask 022\n${code}${MODES}`)).toMatch(/\n600\n600\n$/),
  },
  {
    language: 'sh',
    says: 'systemctl enable --now',
    run: async (code) => expect(statuses(await run(code))).toEqual(['ready', 'ready']),
  },
  { language: 'sh', says: 'nginx -t', run },
  {
    language: 'sh',
    says: 'pay() {',
    run: async (code) => {
      const output = await run(`${WITH_ARGUMENTS}${code}`);
      expect(statuses(output)).toContain('approved');
      expect(output).toContain('argument @/dev/fd/3');
      expect(output).not.toMatch(/argument .*(Bearer|4111111111111111)/);
    },
  },
  {
    language: 'sh',
    says: '--signal=SIGKILL',
    run: async (code) => {
      const printed = statuses(await run(code));
      expect(printed).toContain('approved');
      expect(printed.at(-1)).toBe('ready');
    },
  },
  {
    language: 'sh',
    says: 'ls -l /var/backups/turnpike',
    run: async (code) => expect(await run(code)).toMatch(/turnpike-\w+\.dump\n.*\.dump\.contents\n.*\.dump\.sha256\n/),
  },
  {
    language: 'sh',
    says: 'verify-backup.sh',
    run: async (code) => expect(await run(code)).toMatch(/\.dump contains what the store did: \d+ tables/),
  },
  {
    language: 'sh',
    says: '/restore.sh',
    run: async (code) => {
      const output = await run(code);
      expect(output).not.toContain('WARNING');
      const printed = statuses(output);
      expect(printed.slice(0, 2)).toEqual(['ready', 'ready']);
      expect(printed).toContain('paid');
      expect(printed.at(-1)).toBe('relay_paused');
    },
  },
  {
    language: 'sh',
    says: 'turnpike reconcile',
    run: async (code) => expect(await run(code)).toMatch(/^[1-9]\d* orders compared/m),
  },
  {
    language: 'sh',
    says: '\'/"paused": true,/d\'',
    run: async (code) => {
      const output = await run(code);
      expect(restarted(output)).toBe(2);
      expect(statuses(output)).toContain('approved');
    },
  },
  { language: 'sh', says: 'promtool check config', run },
  {
    language: 'sh',
    says: 'sleep 120',
    // The rules have their own tests, with their own timestamps.
    run: (code) =>
      expect(code.replace(/^(sleep|curl|amtool) .*\n/gm, '')).toMatch(/^(systemctl \w+ turnpike-relay@8102\n){2}$/),
  },
  { language: 'sh', says: 'signing_before', run: async (code) => expect(restarted(await run(code))).toBe(2) },
  {
    language: 'sh',
    says: 'ALTER ROLE',
    run: async (code) => {
      const output = await run(`${WITH_ARGUMENTS}${code}printf 'password %s\\n' "$password"\n${MODES}`);
      expect(statuses(output)).toContain('approved');
      const [, password = ''] = /^password (\w+)$/m.exec(output) ?? [];
      expect(password).toHaveLength(48);
      expect(output.split(password)).toHaveLength(2);
      expect(output).toMatch(/\n(600\n)+$/);
      // New connections need the new password.
      const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'turnpike'`;
      await run(`runuser -u postgres -- psql --quiet --command "${end}"`);
      await until('relays have connections again', async () => (await run('pay A-6')).includes('"approved"'));
    },
  },
  {
    language: 'sh',
    says: '>/etc/turnpike/upgrade.env',
    run: async (code) => {
      const output = await run(code);
      expect(restarted(output)).toBe(2);
      expect(statuses(output)).toContain('approved');
    },
  },
  ...['install -d -m 0700 secrets', 'docker compose run', 'docker compose cp'].map((says) => ({
    language: 'sh',
    says,
    run: (code: string) => machine.runInDeploy(code),
  })),
  {
    language: 'sh',
    says: 'createdb',
    run: async (code) => {
      const restore = code.replace('<DUMP', '</dev/null');
      const done = (paused: boolean) =>
        // In one stream, so that the lines keep their order.
        machine.runInDeploy(`exec 2>&1\necho '{ "paused": ${paused} }' >relay.json\n${restore}\ncat secrets/store`);
      expect(await done(false)).toMatch(/^set "paused": true .*\npostgres:.*\/turnpike\n$/);
      expect(await done(true)).toMatch(/^postgres:.*\/turnpike_\d{14}\n$/);
    },
  },
  { language: 'sh', says: 'skopeo copy', run: (code) => expect(code).toContain(`oci-archive:${image} `) },
  {
    language: 'sh',
    says: 'kubectl apply',
    run: (code) => {
      const applied = [...code.matchAll(/--filename (\S+)/g)].map(([, name]) => name);
      expect(applied).toEqual(['namespace.yaml', 'network.yaml', 'relay.yaml', 'route.yaml']);
      for (const name of applied) expect(existsSync(join(manifests, name ?? '')), name).toBe(true);
    },
  },
  {
    language: 'sh',
    says: 'npm run release',
    run: (code) => expect(code).toBe('npm ci\nnpm run release -- --image --sign ~/turnpike_releases\n'),
  },
  {
    language: 'sh',
    says: 'ssh-keygen -q -t ed25519',
    run: async (code) => {
      const output = await run(`${code.replace('-q ', "-q -N '' ")}cat signers`);
      expect(output).toMatch(
        /^releases@shop\.example namespaces="turnpike-release" ssh-ed25519 \S+ releases@shop\.example\n$/,
      );
    },
  },
]);
