import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import own from '../../../package.json' with { type: 'json' };
import { blockWith } from '../docs/doc-blocks.ts';
import { freePort } from '../http/free-port.ts';
import { startPostgres, type TestPostgres } from '../stores/postgres.ts';
import { soon } from '../time/until.ts';

const root = join(import.meta.dirname, '../../..');

/** The version that the provider is tested with. */
const MEDUSA = '2.21.2';

/** The key of the relay that the provider uses, and its scopes by the docs. */
export const medusaKey = 'test-key-of-medusa';
export const medusaScopes = ['sessions', 'query', 'capture', 'cancel', 'refund'];
export const webhookSecret = `whsec_${Buffer.from('a secret for tests of Medusa').toString('base64')}`;

/** A person who may use the admin API. */
export const admin = { email: 'admin@shop.example', password: 'a password for tests' };

/** The id of the provider in Medusa. */
export const PROVIDER = 'pp_turnpike_relay';

/**
 * A Medusa project with the package of the build, in a folder of about a gigabyte. `MEDUSA_FOLDER` names a folder that is kept: the next
 * run installs only what changed.
 */
export async function installMedusa(): Promise<{ folder: string; remove(): void }> {
  const kept = process.env.MEDUSA_FOLDER;
  const folder = kept ?? mkdtempSync('/var/tmp/turnpike-medusa-');
  mkdirSync(folder, { recursive: true });
  const tarball = `turnpike-medusa-${own.version}.tgz`;
  cpSync(join(root, 'dist', tarball), join(folder, tarball));
  const medusa = ['medusa', 'framework', 'cli', 'js-sdk'].map((name) => [`@medusajs/${name}`, MEDUSA]);
  const shop = { name: 'shop', private: true, dependencies: Object.fromEntries(medusa) };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(shop));
  writeFileSync(join(folder, 'medusa-config.js'), CONFIG);
  writeFileSync(join(folder, 'storefront.mjs'), STOREFRONT);
  mkdirSync(join(folder, 'src/workflows'), { recursive: true });
  writeFileSync(join(folder, 'src/workflows/complete-cart.js'), HOOK);
  const quiet = { ...process.env, npm_config_audit: 'false', npm_config_fund: 'false' };
  await run(folder, 'sh', ['-c', blockWith(page, 'sh', 'npm install')], quiet);
  return { folder, remove: () => kept ?? rmSync(folder, { recursive: true, force: true }) };
}

export const page = 'docs/medusa.md';

/** The storefront of the docs as a program: begins the payment of a cart, or completes it as after a result of the form. */
const STOREFRONT = `import { createRequire } from 'node:module';

${blockWith(page, 'js', 'function beginPayment')}
${blockWith(page, 'js', 'function completeAfterPayment')}
const { default: Medusa } = createRequire(import.meta.url)('@medusajs/js-sdk');
const [, , does, id] = process.argv;
const sdk = new Medusa({ baseUrl: process.env.MEDUSA_URL, publishableKey: process.env.PUBLISHABLE_KEY });

async function complete(status) {
  const element = new EventTarget();
  const { promise, resolve } = Promise.withResolvers();
  const said = { placed: ({ id }) => resolve({ placed: id }), confirming: () => resolve({ confirming: true }) };
  completeAfterPayment(element, sdk, { id }, said);
  element.dispatchEvent(new CustomEvent('result', { detail: { status } }));
  return promise;
}

console.log(JSON.stringify(await (does === 'begin' ? beginPayment(sdk, { id }) : complete(does))));
`;

/** The options of the docs. */
const CONFIG = `const { defineConfig } = require('@medusajs/framework/utils');

module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: '*', adminCors: '*', authCors: '*', jwtSecret: 'jwt', cookieSecret: 'cookie' },
  },
  modules: [${blockWith(page, 'js', "resolve: 'turnpike-medusa'")}],
});
`;

/** The file that makes the next completion of a cart fail. */
const FAILING = 'fail-completion';

/** A hook of the shop after the payment of a cart was authorised. */
const HOOK = `const { existsSync, rmSync } = require('node:fs');
const { completeCartWorkflow } = require('@medusajs/medusa/core-flows');

completeCartWorkflow.hooks.orderCreated(() => {
  if (!existsSync('${FAILING}')) return;
  rmSync('${FAILING}');
  throw new Error('The hook of the shop failed');
});
`;

/** Makes the next completion of a cart fail after its payment was authorised. */
export function failNextCompletion(folder: string): void {
  writeFileSync(join(folder, FAILING), '');
}

/** Checks the provider's sources with the types of the installed packages. */
export async function checkTypes(folder: string): Promise<void> {
  const copy = join(folder, 'sources/integrations/medusa');
  rmSync(join(folder, 'sources'), { recursive: true, force: true });
  cpSync(join(root, 'integrations/medusa'), copy, { recursive: true });
  cpSync(join(root, 'tsconfig.json'), join(folder, 'sources/tsconfig.json'));
  const installed = join(folder, 'node_modules/turnpike-medusa');
  for (const name of ['package.json', 'turnpike']) cpSync(join(installed, name), join(copy, name), { recursive: true });
  await run(copy, join(root, 'node_modules/.bin/tsc'), ['--noEmit', '--pretty', 'false']);
}

/** A Medusa server on a PostgreSQL of its own, with in-memory modules in place of Redis. */
export type Medusa = { url: string; printed(): string; stop(): Promise<void> };

/** Starts it with an empty database and one user of the admin API. */
export async function startMedusa(folder: string, relayUrl: string): Promise<Medusa> {
  const postgres = await startPostgres();
  let child: ChildProcess | undefined;
  const stop = async (): Promise<void> => {
    if (child?.pid !== undefined && child.exitCode === null) {
      process.kill(-child.pid, 'SIGKILL');
      await once(child, 'close');
    }
    await postgres.close();
  };
  try {
    const port = await freePort();
    const env = await environment(postgres, relayUrl);
    await run(folder, 'npx', ['medusa', 'db:migrate'], env);
    await run(folder, 'npx', ['medusa', 'user', '-e', admin.email, '-p', admin.password], env);
    child = spawn('npx', ['medusa', 'start', '-p', String(port)], {
      cwd: folder,
      env: { ...env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (printed += data));
    const url = `http://127.0.0.1:${port}`;
    const isUp = async () => {
      if (child?.exitCode !== null) throw new Error(printed);
      return (await fetch(`${url}/health`)).ok || undefined;
    };
    await soon('Medusa answers', isUp, 300_000);
    return { url, printed: () => printed, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function environment(postgres: TestPostgres, relayUrl: string): Promise<NodeJS.ProcessEnv> {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    NODE_ENV: 'production',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: await postgres.database(),
    TURNPIKE_URL: relayUrl,
    TURNPIKE_API_KEY: medusaKey,
    TURNPIKE_WEBHOOK_SECRET: webhookSecret,
  };
}

/** Runs a program to its end and returns its output. Throws with that if it fails. */
export async function run(cwd: string, command: string, args: string[], env = process.env): Promise<string> {
  const done = promisify(execFile)(command, args, { cwd, env, maxBuffer: 50_000_000 });
  const { stdout } = await done.catch((error) => {
    throw new Error(`${command} ${args.join(' ')}: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}
