import { join, relative } from 'node:path';
import { ReleaseError } from './errors.ts';
import { makeRelease } from './release.ts';

const root = join(import.meta.dirname, '..');

try {
  const { archive, sbom, sums, bytes, packages } = await makeRelease(root, join(root, 'dist/release'));
  console.log(`${relative(root, archive)}  ${(bytes / 1e6).toFixed(1)} MB`);
  console.log(`${relative(root, sbom)}  ${packages} packages`);
  console.log(relative(root, sums));
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
