import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { buildClient } from '../../client/build.ts';
import manifest from '../../package.json' with { type: 'json' };
import { shopWithPackage } from '../support/packed-client.ts';
import { apiKey, startTestRelay } from '../support/relay.ts';
import { approving, scriptedGateway } from '../support/scripted-gateway.ts';

// Packing, and compilers that read whole libraries, take long on a machine that does other things beside.
vi.setConfig({ testTimeout: 120_000 });

const shopCode = `import { createClient, RelayRefused, type SessionAnswer } from 'turnpike/client';

const turnpike = createClient({ url: process.env.RELAY ?? '', apiKey: process.env.KEY ?? '' });
const { id } = await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: '12.5' } });
const session: SessionAnswer = await turnpike.sessions.get(id);
console.log(session.status, session.amount);
try {
  await turnpike.sessions.get('cs_nothing');
} catch (error) {
  if (error instanceof RelayRefused) console.log(error.code);
}
`;
const withMistakes = `import { createClient } from 'turnpike/client';

const turnpike = createClient({ url: 'https://pay.example', apiKey: 'k' });
await turnpike.sessions.create({ order: { order_no: 'P-1', currency: 'BRL', amount: 12.5 } });
await turnpike.refund({ refund_orders: [{ transaction_id: 'T1', currency: 'BRL', amount: '1' }] });
await turnpike.query({ ordres: ['P-1'] });
(await turnpike.sessions.get('cs_1')).staus;
`;

const withKit = `import { checkoutOn, type Outcome, testCards } from 'turnpike/testing';
import type { Page } from 'playwright-core';

export async function pay(page: Page): Promise<Outcome> {
  const checkout = checkoutOn(page);
  await checkout.fill({ card: testCards.approved.number, expiry: '12/30' });
  await checkout.fill({ cardnumber: '' });
  const outcome = await checkout.pay();
  if (outcome.status === 'unknown') outcome.told.trim();
  return outcome;
}
`;

let made: ReturnType<typeof shopWithPackage> | undefined;

/** One shop for all: it takes long to make. */
function shop() {
  made ??= shopWithPackage();
  return made;
}

describe('this project', () => {
  it('knows the client by the name that shops know it by', () => {
    const script = "const { createClient } = await import('turnpike/client'); console.log(typeof createClient);";
    const root = join(import.meta.dirname, '../..');
    expect(execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8' })).toBe('function\n');
  });
});

describe('a shop that installs the package', () => {
  it('gets the client and the test kit and nothing else, with its types, and runs it as plain JavaScript', async () => {
    const gateway = await scriptedGateway(approving);
    const relay = await startTestRelay({ gatewayUrl: gateway.url });
    const { packed, write, check, run } = await shop();

    const { version, license, dependencies } = manifest;
    expect(packed.name).toBe(`turnpike-${version}.tgz`);
    expect(packed.manifest).toMatchObject({ name: 'turnpike', version, license, engines: { node: '>=20' } });
    expect(packed.manifest.dependencies).toEqual({ zod: dependencies.zod });
    expect(packed.files).toContain('package/client/index.d.ts');
    const isOther = (file: string) => !/^package\/(client|testing|shared)\/.*(\.js|\.d\.ts)$/.test(file);
    const others = packed.files.filter((file) => !file.endsWith('/') && isOther(file));
    expect(others.toSorted()).toEqual(['package/LICENSE', 'package/README.md', 'package/package.json']);
    const links = [...packed.readme.matchAll(/\]\(([^)]+)\)/g)].map(([, target]) => target);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((target) => !/^(#|https:)/.test(target ?? ''))).toEqual([]);
    expect(packed.files.filter((file) => /\.test\.|build/.test(file))).toEqual([]);

    write('shop.ts', shopCode);
    // Without skipLibCheck: the package's own declarations are read, too.
    const strict = ['--strict', '--target', 'es2022', '--types', 'node', '--skipLibCheck', 'false'];
    for (const module of ['nodenext', 'bundler']) {
      const settings =
        module === 'bundler' ? ['--module', 'esnext', '--moduleResolution', module] : ['--module', module];
      expect(await check(...strict, ...settings, 'shop.ts'), module).toMatchObject({ ok: true, output: '' });
    }

    write('shop.js', shopCode.replace(', type SessionAnswer', '').replace(': SessionAnswer', ''));
    const ran = await run('shop.js', { RELAY: relay.url, KEY: apiKey });
    expect(ran).toEqual({ ok: true, output: 'open 12.50\nnot_found\n', errors: '' });

    write('mistakes.ts', withMistakes);
    const { output } = await check(...strict, '--module', 'nodenext', 'mistakes.ts');
    const lines = [...output.matchAll(/^mistakes\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    expect(lines).toEqual([4, 5, 6, 7]);
  });
});

describe('a shop that tests its checkout', () => {
  it('has the kit’s types with those of Playwright, and runs it as plain JavaScript without', async () => {
    const { install, write, check, run } = await shop();
    write('kit.js', "import { testCards } from 'turnpike/testing';\nconsole.log(testCards.declined.number);\n");
    expect(await run('kit.js', {})).toEqual({ ok: true, output: '4000000000000002\n', errors: '' });

    install('playwright-core');
    write('kit.ts', withKit);
    const settings = [
      '--strict',
      '--target',
      'es2022',
      '--module',
      'nodenext',
      '--types',
      'node',
      '--skipLibCheck',
      'false',
    ];
    const { output } = await check(...settings, 'kit.ts');
    expect(
      [...output.matchAll(/^kit\.ts\((\d+),/gm)].map(([, line]) => Number(line)),
      output,
    ).toEqual([7, 9]);
  });
});

describe('a build of the package', () => {
  it('mends what is broken, and leaves nothing of an older one', () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-client-')), 'package');
    buildClient(folder);
    const module = readFileSync(join(folder, 'client/index.js'), 'utf8');
    writeFileSync(join(folder, 'client/index.js'), 'broken');
    rmSync(join(folder, 'client/send.js'));
    mkdirSync(join(folder, 'shared/renamed'));
    writeFileSync(join(folder, 'shared/renamed/old.js'), '');
    buildClient(folder);
    expect(readFileSync(join(folder, 'client/index.js'), 'utf8')).toBe(module);
    expect(existsSync(join(folder, 'client/send.js'))).toBe(true);
    expect(existsSync(join(folder, 'shared/renamed'))).toBe(false);
  });

  it('is a part of npm run build', () => {
    expect(manifest.scripts.build).toMatch(/&& node client\/build\.ts$/);
  });
});
