import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ReleaseError } from './errors.ts';
import { makeImage } from './image/image.ts';
import { makeRelease } from './release.ts';
import { signSums } from './sign.ts';

const root = join(import.meta.dirname, '..');

const show = (path: string, what = `${(statSync(path).size / 1e6).toFixed(1)} MB`): void =>
  console.log(`${relative(root, path)}  ${what}`);

try {
  const { values } = parseArgs({ options: { image: { type: 'boolean' }, sign: { type: 'string' } } });
  const release = await makeRelease(root, join(root, 'dist/release'));
  show(release.archive);
  show(release.sbom, `${release.packages} packages`);
  if (values.image) show(makeImage(root, release));
  show(release.sums, 'checksums');
  if (values.sign !== undefined) show(signSums(release.sums, values.sign), 'their signature');
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
