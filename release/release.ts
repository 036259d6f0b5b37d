import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { packed, sha256Of, sumsOf } from './archive.ts';
import { copyBrowserParts, copyCode } from './code.ts';
import { checkContents } from './contents.ts';
import { ReleaseError } from './errors.ts';
import { checkLicences, NOTICES_FILE, noticesOf, plainLicence } from './licences.ts';
import { directPaths, installModules, releasedPackages } from './packages.ts';
import { sbomOf } from './sbom.ts';

/** The maximum size of an archive. */
const MAX_BYTES = 15_000_000;

const rootManifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  dependencies: z.record(z.string(), z.string()),
  devDependencies: z.record(z.string(), z.string()),
});

/** A finished release: the paths of its files. */
export type Release = {
  name: string;
  version: string;
  archive: string;
  sbom: string;
  sums: string;
  bytes: number;
  packages: number;
};

/**
 * Makes the release of the repository at `root` in the folder `into`, which is emptied first: the archive of the relay
 * with everything that it needs except Node, its bill of materials, and the checksums of both. The same sources give
 * the same bytes. Throws ReleaseError.
 */
export async function makeRelease(root: string, into: string): Promise<Release> {
  const manifest = rootManifest.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const { name, version } = manifest;
  const title = `${name}-${version}`;
  const parent = mkdtempSync(join(tmpdir(), 'turnpike-release-'));
  try {
    const folder = join(parent, title);
    mkdirSync(folder);
    copyCode(root, folder);
    const bundled = await copyBrowserParts(root, folder);
    installModules(root, folder);
    const packages = releasedPackages(root, folder, bundled);
    checkLicences(packages);
    writeFileSync(join(folder, NOTICES_FILE), noticesOf(packages));
    writeFileSync(join(folder, 'package.json'), manifestOf(manifest));
    checkContents(folder);
    const content = packed(parent, title);
    if (content.length > MAX_BYTES) {
      throw new ReleaseError(`The archive has ${content.length} bytes, more than ${MAX_BYTES}: find what came in`);
    }
    rmSync(into, { recursive: true, force: true });
    mkdirSync(into, { recursive: true });
    const archive = join(into, `${title}.tar.gz`);
    const sbom = join(into, `${title}.cdx.json`);
    const sums = join(into, 'SHA256SUMS');
    writeFileSync(archive, content);
    const direct = directPaths(manifest, packages);
    const application = { ...manifest, licence: plainLicence(manifest.license), sha256: sha256Of(content), direct };
    writeFileSync(sbom, `${JSON.stringify(sbomOf(application, packages), undefined, 2)}\n`);
    writeFileSync(sums, sumsOf([sbom, archive]));
    return { name, version, archive, sbom, sums, bytes: content.length, packages: packages.length };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** The manifest of an unpacked release. It has no scripts, because the commands beside it need no npm. */
function manifestOf({ name, version, license, dependencies }: z.infer<typeof rootManifest>): string {
  const engines = { node: '>=24' };
  const manifest = { name, version, license, private: true, type: 'module', engines, dependencies };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
