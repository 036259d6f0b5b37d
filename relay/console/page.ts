import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { type ConsoleBuild, consoleBuild } from '../../shared/api/console.ts';
import { ProblemError } from '../base/errors.ts';
import { noDevices } from '../http/answer.ts';
import { addRoute } from '../http/serve.ts';

/** A built file, plain and compressed. */
type File = { type: string; body: Buffer; gzip: Buffer };

/** The built page of the console. */
export type ConsolePage = { html: string; files: ReadonlyMap<string, File> };

/**
 * Reads the console's build from a folder. Undefined if there is none. `others` are folders of other builds, whose files pages may
 * request, too.
 */
export function loadConsolePage(folder: string, others: readonly string[] = []): ConsolePage | undefined {
  const own = readBuild(folder);
  if (!own) return undefined;
  const files = others.flatMap((other) => [...(readBuild(other)?.files ?? [])]);
  return { html: shellOf(own.build), files: new Map([...files, ...own.files]) };
}

function readBuild(folder: string): { build: ConsoleBuild; files: ConsolePage['files'] } | undefined {
  try {
    const build = consoleBuild.parse(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')));
    const files = [build.script, build.style, ...build.chunks].map((name): [string, File] => {
      const body = readFileSync(join(folder, name));
      const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
      return [name, { type, body, gzip: gzipSync(body, { level: 9 }) }];
    });
    return { build, files: new Map(files) };
  } catch {
    return undefined;
  }
}

/** The page at every address of the console. It reads the address itself, and has no data of a person. */
function shellOf({ script, style }: ConsoleBuild): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Turnpike console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/console/assets/${style}">
<script type="module" src="/console/assets/${script}"></script>
</head>
<body><div id="console"></div></body>
</html>
`;
}

const policy = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["form-action 'none'", "base-uri 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"],
].join('; ');

/** Sets the security headers of every answer of the console. */
export const consoleHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    'Content-Security-Policy': policy,
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...noDevices,
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  next();
};

/** The console's page and its files. */
export function consolePageRoutes(page: ConsolePage | undefined): Router {
  const router = Router();
  addRoute(router, '/console/assets/:file', {
    get: [
      (req, res) => {
        const file = page?.files.get(String(req.params.file));
        if (!file) throw new ProblemError('not_found', 'There is no such file, or no longer.');
        res.set({ 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' });
        res.vary('Accept-Encoding');
        if (req.acceptsEncodings('gzip') === 'gzip') res.set('Content-Encoding', 'gzip').send(file.gzip);
        else res.send(file.body);
      },
    ],
  });
  const shell: RequestHandler = (_req, res) => {
    if (!page) throw new ProblemError('not_found', 'The console’s page is not built: run npm run build.');
    res.set('Cache-Control', 'no-store').type('html').send(page.html);
  };
  addRoute(router, '/console', { get: [shell] });
  addRoute(router, '/console/*path', { get: [shell] });
  return router;
}
