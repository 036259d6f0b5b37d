import { Router } from 'express';
import { embedding } from '../../shared/checkout/embedding.ts';
import { ProblemError } from '../base/errors.ts';
import { addRoute } from '../http/routes.ts';
import type { Context } from '../store/context.ts';
import type { Asset, Assets } from './assets.ts';
import { probePage } from './probe-page.ts';
import { IMMUTABLE, SHORT, sendScript } from './send-script.ts';

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
