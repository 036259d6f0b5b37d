import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants, crc32, deflateRawSync, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import type { BuildManifest, BuiltScript } from '../../shared/checkout/scripts.ts';
import type { FormPart, RenderModule } from '../../shared/checkout/view.ts';

/** The encodings of scripts. */
type Encoding = 'br' | 'gzip';

/** One script of the build in memory. `compressed` is filled at the first request for each encoding. */
export type Asset = BuiltScript & { body: Buffer; integrity: string; compressed: Map<Encoding, Promise<Buffer>> };

/** An inline script of pages, and its hash for their `script-src`. */
export type InlineScript = BuiltScript & { code: string; integrity: string };

/** The files of the widget's build, ready to be served. */
export type Assets = {
  loader: Asset;
  doctor: Asset;
  /** The form's scripts. */
  form: readonly Asset[];
  /** Scripts of earlier builds by their path. Open pages may still request them. */
  earlier: ReadonlyMap<string, Asset>;
  /** The files that a page preloads for each part. */
  preload: Readonly<Record<FormPart, readonly string[]>>;
  inline: Readonly<Record<'painted' | 'form' | 'probe', InlineScript>>;
  /** The script at the end of every form's page. A separate file would arrive one round trip later. */
  ending: Ending;
  css: string;
  render: RenderModule;
};

/** The build of the browser's scripts is missing. */
export class BuildMissing extends Error {
  override readonly name = 'BuildMissing';
  readonly code = 'build_missing';
}

/**
 * Reads the widget's build from a folder. `others` are scripts of other builds, which pages may request too. Throws
 * BuildMissing.
 */
export async function loadAssets(dist: string, others: readonly Asset[] = []): Promise<Assets> {
  const read = (file: string): Buffer => readFileSync(join(dist, file));
  const asset = (script: BuiltScript): Asset => readAsset(dist, script);
  const inline = (script: BuiltScript): InlineScript => {
    const code = read(script.file).toString('utf8');
    return { ...script, code, integrity: hashOf(code) };
  };
  try {
    const manifest: BuildManifest = JSON.parse(read('build.json').toString('utf8'));
    const render: RenderModule = await import(pathToFileURL(join(dist, manifest.render)).href);
    const form = inline(manifest.inline.form);
    const earlier = [...others, ...manifest.earlier.map((file) => asset(earlierScript(file)))];
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

/** The scripts in a folder with a build of the widget that a page of that build may request; none if the build is incomplete. */
export function scriptsIn(dist: string): Asset[] {
  try {
    const { loader, doctor, form, earlier }: BuildManifest = JSON.parse(readFileSync(join(dist, 'build.json'), 'utf8'));
    const files = [loader, doctor, ...form.files].map(({ file }) => file);
    return [...files, ...earlier].map((file) => readAsset(dist, earlierScript(file)));
  } catch {
    return [];
  }
}

function earlierScript(file: string): BuiltScript {
  return { file, purpose: 'of an earlier build' };
}

function readAsset(dist: string, script: BuiltScript): Asset {
  const body = readFileSync(join(dist, script.file));
  const integrity = `sha384-${createHash('sha384').update(body).digest('base64')}`;
  return { ...script, body, integrity, compressed: new Map() };
}

/** The hash of an inline script or style, as policies name it. */
export function hashOf(code: string): string {
  return `sha256-${createHash('sha256').update(code).digest('base64')}`;
}

/** The text at the end of every form's page, compressed once. */
export type Ending = { text: string; deflated: Buffer };

/** The header of a gzip file (RFC 1952): method deflate; no name, time or operating system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** Compresses the end of a page for `gzipWith`. */
export function compressEnding(text: string): Ending {
  return { text, deflated: deflateRawSync(text, { level: constants.Z_BEST_COMPRESSION }) };
}

/** Compresses a page and appends its ending, which is already compressed. The result is one gzip file. */
export function gzipWith(page: string, { text, deflated }: Ending): Buffer {
  const whole = Buffer.from(page + text);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(whole), 0);
  trailer.writeUInt32LE(whole.length, 4);
  // A flush ends this part at a whole byte, so that the ending can follow.
  const start = deflateRawSync(page, { finishFlush: constants.Z_SYNC_FLUSH });
  return Buffer.concat([HEADER, start, deflated, trailer]);
}

export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** For a script whose name stays the same in each build: pages get a new build within five minutes. */
export const SHORT = 'public, max-age=300';

const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };

/**
 * Sends a script, to any origin, compressed as the browser accepts it: Brotli, else gzip. Scripts are the same for all clients and have no
 * secret, so their compressed size reveals nothing (BREACH). Each encoding is a representation with an ETag of its own.
 */
export async function sendScript(req: Request, res: Response, script: Asset, cacheControl: string): Promise<void> {
  const encoding = encodingFor(req);
  const etag = script.integrity.slice('sha384-'.length, -32);
  res.set({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': cacheControl,
    Vary: 'Accept-Encoding',
    ETag: encoding ? `"${etag}.${encoding}"` : `"${etag}"`,
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ...(encoding ? { 'Content-Encoding': encoding } : {}),
  });
  res.send(encoding ? await compress(script, encoding) : script.body);
}

/** The encoding of a script that a browser accepts: Brotli, else gzip, else none. */
function encodingFor(req: Request): Encoding | undefined {
  return (['br', 'gzip'] as const).find((name) => req.acceptsEncodings(name) === name);
}

/** Compresses a script at its first request, at the highest level, and keeps the result. */
function compress({ body, compressed }: Asset, encoding: Encoding): Promise<Buffer> {
  // The default quality of Brotli is the highest, 11.
  const made = compressed.get(encoding) ?? (encoding === 'br' ? encoders.br(body) : encoders.gzip(body, { level: 9 }));
  compressed.set(encoding, made);
  return made;
}
