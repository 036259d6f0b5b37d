import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Copies of the files that `npm run dev` runs and builds, which a test may edit. */
const SOURCES = ['build', 'client', 'console', 'relay', 'sandbox', 'shared', 'widget'];
const FILES = ['package.json', 'package-lock.json', 'vite.config.ts', 'dist', 'test/setup'];

/** Runs the development stack on free ports in a copy of the repository. */
async function develop() {
  const copy = mkdtempSync(join(tmpdir(), 'turnpike-dev-'));
  for (const path of [...SOURCES, ...FILES]) cpSync(join(root, path), join(copy, path), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const env = { ...process.env, PORT_RELAY: '0', PORT_GATEWAY: '0', PORT_SHOP: '0' };
  const stack = spawn(process.execPath, ['sandbox/dev.ts'], { cwd: copy, env });
  const ended = once(stack, 'close');
  let output = '';
  for (const stream of [stack.stdout, stack.stderr]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  onTestFinished(async () => {
    stack.kill('SIGTERM');
    await ended;
    rmSync(copy, { recursive: true });
  });
  await expect.poll(() => output).toContain('Ctrl-C stops everything');
  const relay = /Relay +(http:\S+)/.exec(output)?.[1] ?? '';
  const text = (path: string) => fetch(`${relay}${path}`).then((answer) => answer.text(), String);
  return { copy, text, output: () => output };
}

it('restarts the relay and builds the form when their sources change', async () => {
  const { copy, text, output } = await develop();
  const routes = join(copy, 'relay/pages/script-routes.ts');
  const said = 'There is no such script, or no longer.';
  expect(await text('/form/none.js')).toContain(said);
  writeFileSync(routes, readFileSync(routes, 'utf8').replace(said, 'Changed while it runs.'));
  await expect.poll(() => text('/form/none.js')).toContain('Changed while it runs.');

  const loader = join(copy, 'widget/embed/turnpike.ts');
  const good = readFileSync(loader, 'utf8');
  appendFileSync(loader, '\nthis is no script\n');
  await expect.poll(output).toContain('was not built');
  expect(await text('/turnpike.js')).toContain('turnpike-checkout');
  writeFileSync(loader, `${good}\nconsole.info('changed while it runs');\n`);
  await expect.poll(() => text('/turnpike.js')).toContain('changed while it runs');
});
