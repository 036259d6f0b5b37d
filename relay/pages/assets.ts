import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildManifest, BuiltScript } from '../../shared/checkout/build.ts';
import type { FormPart, RenderModule } from '../../shared/checkout/view.ts';
import { compressEnding, type Ending } from './gzip-parts.ts';

/** How scripts are compressed. */
export type Encoding = 'br' | 'gzip';

/** One script of the build, held in memory, and its compressed forms once they are asked for. */
export type Asset = BuiltScript & { body: Buffer; integrity: string; compressed: Map<Encoding, Promise<Buffer>> };

/** A script that pages carry inline, and its hash for their `script-src`. */
export type InlineScript = BuiltScript & { code: string; integrity: string };

/** What the widget's build made, ready to be served. */
export type Assets = {
  loader: Asset;
  doctor: Asset;
  /** The form's scripts. */
  form: readonly Asset[];
  /** Scripts of earlier builds, by their path, that pages may still ask for. */
  earlier: ReadonlyMap<string, Asset>;
  /** What a page should load at once for each part. */
  preload: Readonly<Record<FormPart, readonly string[]>>;
  inline: Readonly<Record<'painted' | 'form' | 'probe', InlineScript>>;
  /** What ends the page of every form: its script, which stands there because it would be known one round trip later elsewhere. */
  ending: Ending;
  css: string;
  render: RenderModule;
};

/** The browser parts are not built. */
export class BuildMissing extends Error {
  override readonly name = 'BuildMissing';
  readonly code = 'build_missing';
}

/** Reads the widget's build from a folder. Throws BuildMissing. */
export async function loadAssets(dist: string): Promise<Assets> {
  const read = (file: string): Buffer => readFileSync(join(dist, file));
  const asset = (script: BuiltScript): Asset => {
    const body = read(script.file);
    const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`;
    return { ...script, body, integrity, compressed: new Map() };
  };
  const inline = (script: BuiltScript): InlineScript => {
    const code = read(script.file).toString('utf8');
    return { ...script, code, integrity: hashOf(code) };
  };
  try {
    const manifest: BuildManifest = JSON.parse(read('build.json').toString('utf8'));
    const render: RenderModule = await import(pathToFileURL(join(dist, manifest.render)).href);
    const form = inline(manifest.inline.form);
    const earlier = manifest.earlier.map((file) => asset({ file, purpose: 'of an earlier build' }));
    return {
      loader: asset(manifest.loader),
      doctor: asset(manifest.doctor),
      form: manifest.form.files.map(asset),
      earlier: new Map(earlier.map((script) => [`/${script.file}`, script])),
      preload: manifest.form.preload,
      inline: {
        painted: inline(manifest.inline.painted),
        form,
        probe: inline(manifest.inline.probe),
      },
      ending: compressEnding(`<script type="module">${form.code}</script>\n</body>\n</html>\n`),
      css: read(manifest.css).toString('utf8'),
      render,
    };
  } catch (error) {
    throw new BuildMissing('the browser parts are not built: run npm run build', { cause: error });
  }
}

/** The hash of an inline script or style, as policies name it. */
export function hashOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}
