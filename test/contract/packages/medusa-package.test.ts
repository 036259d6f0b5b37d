import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { importedPackages } from '../../../package/build.ts';
import { buildMedusaPackage } from '../../../package/medusa.ts';
import own from '../../../package.json' with { type: 'json' };

it('is a package for Medusa that names all that it imports', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'turnpike-medusa-')), 'package');
  buildMedusaPackage(folder);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({
    name: 'turnpike-medusa',
    version: own.version,
  });
  // npm asks a registry for each dependency, and `turnpike` is on none.
  expect(manifest.dependencies).toEqual({ zod: own.dependencies.zod });
  const targets = Object.values<{ types: string; default: string }>(manifest.imports).flatMap(Object.values);
  for (const file of targets) expect(existsSync(join(folder, file)), file).toBe(true);
  const named = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  expect(importedPackages(folder)).toEqual(named.toSorted());
  expect(readdirSync(folder)).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'index.js', 'index.d.ts']));
  expect(readFileSync(join(folder, 'README.md'), 'utf8')).not.toMatch(/\]\((?!https:|#)/);
});
