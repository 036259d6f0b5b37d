import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildManifest } from '../../shared/checkout/build.ts';
import type { RenderModule } from '../../shared/checkout/view.ts';

/** One file of the build, held in memory. */
export type Asset = { body: Buffer; etag: string; integrity: string };

/** What the widget's build made, ready to be served. */
export type Assets = {
  loader: Asset;
  /** The loader's immutable name: `turnpike-<hash>.js`. */
  loaderName: string;
  /** The form's scripts by file name. */
  form: ReadonlyMap<string, Asset>;
  formEntry: string;
  css: string;
  /** For a CSP's `style-src`. */
  cssHash: string;
  render: RenderModule;
};

/** The browser parts are not built. */
export class BuildMissing extends Error {
  override readonly name = 'BuildMissing';
  readonly code = 'build_missing';
}

/** Reads the widget's build from a folder. Throws BuildMissing. */
export async function loadAssets(dist: string): Promise<Assets> {
  try {
    const manifest: BuildManifest = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'));
    const loader = asset(join(dist, manifest.loader));
    const css = readFileSync(join(dist, manifest.css), 'utf8');
    const render: RenderModule = await import(pathToFileURL(join(dist, manifest.render)).href);
    return {
      loader,
      loaderName: `turnpike-${createHash('sha256').update(loader.body).digest('hex').slice(0, 16)}.js`,
      form: new Map(manifest.form.files.map((file) => [baseName(file), asset(join(dist, file))])),
      formEntry: baseName(manifest.form.entry),
      css,
      cssHash: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
      render,
    };
  } catch (error) {
    throw new BuildMissing('the browser parts are not built: run npm run build', { cause: error });
  }
}

function asset(path: string): Asset {
  const body = readFileSync(path);
  const digest = createHash('sha384').update(body).digest('base64');
  return { body, etag: `"${digest.slice(0, 32)}"`, integrity: `sha384-${digest}` };
}

function baseName(path: string): string {
  return path.split('/').at(-1) ?? path;
}
