import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildPackage, importedPackages } from '../../../package/build.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { everyEntry, everyEntryPrints, shopWithPackage } from '../../support/docs/packed-client.ts';

const libraries = ['client', 'testing', 'webhooks', 'browser'];

let made: ReturnType<typeof shopWithPackage> | undefined;

/** All tests share one shop, which takes long to create. */
function shop() {
  made ??= shopWithPackage();
  return made;
}

/** Further Node versions on this machine that can run the package. */
const otherNodes = ['/usr/bin/node', '/usr/local/bin/node'].filter((node) => existsSync(node) && majorOf(node) >= 20);

describe('the package', () => {
  it('contains the documented files and no others', async () => {
    const { packed } = await shop();
    const { version, license } = manifest;
    expect(packed.name).toBe(`turnpike-${version}.tgz`);
    expect(packed.manifest).toMatchObject({ name: 'turnpike', version, license, engines: { node: '>=20' } });
    expect(packed.manifest.bin).toEqual({ turnpike: './cli/main.js' });
    const files = packed.files.filter((file) => !file.endsWith('/')).map((file) => file.replace('package/', ''));
    const isOurs = (file: string) =>
      /^(client|testing|webhooks|browser|shared)\/.*(\.js|\.d\.ts)$/.test(file) ||
      /^docs\/[\w-]+\.md$/.test(file) ||
      /^cli\/[\w-]+\.js$/.test(file) ||
      file === 'relay/gateway/answers/long-answer-thread.js' ||
      /^sandbox\/(start|(chunks|relay|sandbox|dist)\/.*)\.(js|css|json)$/.test(file);
    expect(files.filter((file) => !isOurs(file)).toSorted()).toEqual([
      'LICENSE',
      'README.md',
      'THIRD-PARTY-LICENSES.txt',
      'package.json',
    ]);
    expect(files.filter((file) => /\.test\.|build/.test(file))).toEqual(['sandbox/dist/build.json']);
    for (const entry of Object.values(packed.manifest.exports)) {
      for (const file of typeof entry === 'object' && entry ? Object.values(entry) : [entry]) {
        expect(files).toContain(String(file).replace('./', ''));
      }
    }
  });

  it('contains the licence of every bundled package', async () => {
    const { folder } = await shop();
    const notices = readFileSync(join(folder, 'node_modules/turnpike/THIRD-PARTY-LICENSES.txt'), 'utf8');
    const titles = [...notices.matchAll(/^(\S+)@\d\S* \(.+\)$/gm)].map(([, name]) => name);
    const imported = ['sandbox/start.ts', 'relay/main.ts', 'cli/main.ts'].flatMap((entry) => [...importedBy(entry)]);
    expect(imported.length).toBeGreaterThan(10);
    // Dependencies of those, and packages of the form and the console.
    const further = ['body-parser', 'pg-protocol', 'preact', 'uplot'];
    expect(titles).toEqual(expect.arrayContaining([...imported, ...further]));
    expect(notices).toMatch(/^preact@\S+ \(MIT\)\n\nThe MIT License/m);
    // Its licence is in its README alone.
    expect(notices).toMatch(/^pgpass@\S+ \(MIT\)\n\nCopyright \(c\) .+\n\nPermission is hereby granted/m);
  });

  it('depends on what its modules import, in our versions', async () => {
    const { folder, packed } = await shop();
    const installed = join(folder, 'node_modules/turnpike');
    const ranges: Record<string, string> = manifest.dependencies;
    const expected = importedPackages(installed).map((name) => [name, ranges[name]]);
    const { dependencies, optionalDependencies } = packed.manifest;
    expect(dependencies).toEqual(Object.fromEntries(expected));
    // Optional: npm would warn about a required dependency that needs a newer Node than the package.
    const optional = ['canonicalize', 'undici'].map((name) => [name, ranges[name]]);
    expect(optionalDependencies).toEqual(Object.fromEntries(optional));
    const chunks = readdirSync(join(installed, 'cli')).map((file) =>
      readFileSync(join(installed, 'cli', file), 'utf8'),
    );
    const bare = chunks.flatMap((code) => [...code.matchAll(/(?:\bfrom|\bimport\(?)\s*["'`]([a-z@][^"'`]*)["'`]/g)]);
    const outside = new Set(bare.map(([, name = '']) => name).filter((name) => !/^node:/.test(name)));
    expect([...outside].filter((name) => !builtinModules.includes(name)).toSorted()).toEqual([
      'canonicalize',
      'undici',
    ]);
    expect(Object.keys(dependencies)).toEqual(['zod']);
    expect(new Set(Object.values(packed.manifest.peerDependencies))).toEqual(new Set(['*']));
  });

  it('imports only zod outside the command, and no Node module', async () => {
    const { folder } = await shop();
    for (const library of libraries) {
      const imports = [...importsFrom(join(folder, 'node_modules/turnpike'), `${library}/index.js`)];
      expect(
        imports.filter((name) => name !== 'zod'),
        library,
      ).toEqual([]);
    }
  });

  it('contains pages whose links work', async () => {
    const { folder } = await shop();
    const installed = join(folder, 'node_modules/turnpike');
    const pages = ['README.md', ...readdirSync(join(installed, 'docs')).map((name) => `docs/${name}`)];
    expect(pages).toEqual(expect.arrayContaining(['docs/server-side.md', 'docs/webhooks.md', 'docs/events.md']));
    for (const page of pages) {
      const text = readFileSync(join(installed, page), 'utf8');
      for (const [, target = ''] of text.matchAll(/\]\(([^)]+)\)/g)) {
        if (/^(#|https?:)/.test(target)) continue;
        expect(existsSync(join(installed, dirname(page), target.replace(/#.*$/, ''))), `${page}: ${target}`).toBe(true);
      }
    }
  });

  it('contains the pages that its command names', async () => {
    const { folder } = await shop();
    const installed = join(folder, 'node_modules/turnpike');
    const scripts = readdirSync(join(installed, 'cli'), { recursive: true, encoding: 'utf8' });
    const named = scripts
      .filter((path) => path.endsWith('.js'))
      .flatMap(
        (path) => readFileSync(join(installed, 'cli', path), 'utf8').match(/(?<!relay’s )docs\/[\w-]+\.md/g) ?? [],
      );
    expect(named).toContain('docs/gateway-profile.md');
    for (const page of named) expect(existsSync(join(installed, page)), page).toBe(true);
  });

  it('runs on this Node and on the machine’s own', async () => {
    const { write, run } = await shop();
    write('every-entry.js', everyEntry);
    const expected = { ok: true, output: everyEntryPrints, errors: '' };
    expect(await run('every-entry.js', {})).toEqual(expected);
    for (const node of otherNodes) expect(await run('every-entry.js', {}, node)).toEqual(expected);
  });

  it('contains the command and all its dependencies', async () => {
    const { folder, write, run } = await shop();
    const command = join(folder, 'node_modules/turnpike/cli/main.js');
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    write('command.js', `process.argv[2] = '--help';\nawait import(${JSON.stringify(command)});\n`);
    for (const node of [process.execPath, ...otherNodes]) {
      const { output, errors } = await run('command.js', {}, node);
      expect(errors).toBe('');
      expect(output).toMatch(/^Usage: turnpike /);
    }
  });
});

describe('a build of the package', () => {
  it('repairs a broken package and removes files of an older one', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-package-')), 'package');
    cpSync(join((await shop()).folder, 'node_modules/turnpike'), folder, { recursive: true });
    const module = readFileSync(join(folder, 'client/index.js'), 'utf8');
    writeFileSync(join(folder, 'client/index.js'), 'broken');
    rmSync(join(folder, 'client/send.js'));
    mkdirSync(join(folder, 'shared/renamed'));
    writeFileSync(join(folder, 'shared/renamed/old.js'), '');
    buildPackage(folder);
    expect(readFileSync(join(folder, 'client/index.js'), 'utf8')).toBe(module);
    expect(existsSync(join(folder, 'client/send.js'))).toBe(true);
    expect(existsSync(join(folder, 'shared/renamed'))).toBe(false);
  });

  it('finds imports in every form, and none in texts', () => {
    const folder = mkdtempSync(join(tmpdir(), 'turnpike-imports-'));
    const code = `import one from 'one';
import {
  two,
} from "two/part.js";
import '@scope/three/x';
export { four } from 'four';
export const five = () => import('five');
export const path = 'import six from "six"';
import { readFileSync } from 'node:fs';
import near from './near.js';
`;
    writeFileSync(join(folder, 'index.js'), code);
    expect(importedPackages(folder)).toEqual(['@scope/three', 'five', 'four', 'one', 'two']);
  });

  it('is part of npm run build', () => {
    expect(manifest.scripts.build).toMatch(/&& node package\/build\.ts(?: |$)/);
    expect(manifest.name).toBe('turnpike-relay');
  });
});

function majorOf(node: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1]);
}

/** The npm packages that a module of the repository and its imports load; types are not loaded. */
function importedBy(entry: string): Set<string> {
  const root = join(import.meta.dirname, '../../..');
  const seen = new Set([join(root, entry)]);
  const found = new Set<string>();
  for (const path of seen) {
    const script = stripTypeScriptTypes(readFileSync(path, 'utf8'));
    for (const [, name = ''] of script.matchAll(/\b(?:from|import)\s*\(?\s*'([\w@./:-]+)'/g)) {
      if (/^\..*\.ts$/.test(name)) seen.add(join(dirname(path), name));
      else if (!/^(\.|node:)/.test(name)) found.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
    }
  }
  return found;
}

/** The packages and Node modules that a module and its imports need. */
function importsFrom(folder: string, entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return new Set();
  seen.add(entry);
  const script = readFileSync(join(folder, entry), 'utf8');
  const names = [...script.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(([, name = '']) => name);
  const found = names.filter((name) => !name.startsWith('.') || builtinModules.includes(name));
  const near = names.filter((name) => name.startsWith('.')).map((name) => join(dirname(entry), name));
  return new Set([...found, ...near.flatMap((name) => [...importsFrom(folder, name, seen)])]);
}
