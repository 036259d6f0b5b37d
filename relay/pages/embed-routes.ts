import { Router } from 'express';
import { embedding } from '../../shared/checkout/scripts.ts';
import { ProblemError } from '../base/errors.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import { type Asset, type Assets, IMMUTABLE, type InlineScript, SHORT, sendScript } from './assets.ts';

/** The scripts that a shop's page and the frame load, and what a shop must know to allow them. */
export function embedRoutes(context: Context, assets: Assets): Router {
  const router = Router();
  const { loader, doctor, form, earlier, inline } = assets;
  const pinned = new Map<string, Asset>([
    ...earlier,
    ...[loader, doctor, ...form].map((script): [string, Asset] => [`/${script.file}`, script]),
  ]);

  addRoute(router, '/turnpike.js', { get: [(req, res) => sendScript(req, res, loader, SHORT)] });
  addRoute(router, '/turnpike-doctor.js', { get: [(req, res) => sendScript(req, res, doctor, SHORT)] });

  for (const path of ['/turnpike-:hash.js', '/form/:file']) {
    addRoute(router, path, {
      get: [
        (req, res) => {
          const script = pinned.get(req.path);
          if (!script) throw new ProblemError('not_found', 'There is no such script, or no longer.');
          return sendScript(req, res, script, IMMUTABLE);
        },
      ],
    });
  }

  addRoute(router, '/embed.json', {
    get: [
      (_req, res) => {
        const scripts = { loader, doctor, form, inline: [inline.painted, inline.form, inline.probe] };
        res.set('Access-Control-Allow-Origin', '*').json(embedding(context.config.public_url, scripts));
      },
    ],
  });

  // Before the pages of sessions, whose address this one's looks like.
  const { html, headers } = probePage(inline.probe);
  addRoute(router, '/checkout/doctor', { get: [(_req, res) => void res.set(headers).send(html)] });

  return router;
}

/**
 * The hidden page of `Turnpike.doctor()`. Any page may hold it, for it is there to tell a page why it may not hold the form. It
 * knows nothing by itself, and tells what a session's public page tells to the holder of its client secret alone.
 */
function probePage({ code, integrity }: InlineScript): { html: string; headers: Record<string, string> } {
  const policy = [
    "default-src 'none'",
    `script-src '${integrity}'`,
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    'frame-ancestors *',
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>Turnpike</title>
<script>${code}</script>
</html>
`,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}
