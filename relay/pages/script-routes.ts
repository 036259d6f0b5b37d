import type { Request, Response, Router } from 'express';
import { embedding } from '../../shared/checkout/scripts.ts';
import { ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import { serve } from '../http/serve.ts';
import { scriptRoutes } from '../routes/pages.ts';
import { type Asset, type Assets, IMMUTABLE, type InlineScript, SHORT, sendScript } from './assets.ts';

/** The scripts that a shop's page and the frame load, what a shop must know to allow them, and the accounts' logos. */
export function serveScripts(context: Context, assets: Assets): Router {
  const { config } = context;
  const { loader, doctor, form, earlier, inline } = assets;
  const pinned = new Map<string, Asset>([
    ...earlier,
    ...[loader, doctor, ...form].map((script): [string, Asset] => [`/${script.file}`, script]),
  ]);
  const sendPinned = ({ req, res }: { req: Request; res: Response }, path = req.path) => {
    const script = pinned.get(path);
    if (!script) throw new ProblemError('not_found', 'There is no such script, or no longer.');
    return sendScript(req, res, script, IMMUTABLE);
  };
  // Each under a name that never changes its content.
  const logos = new Map(config.accounts.flatMap(({ appearance: { logo } }) => (logo ? [[logo.file, logo]] : [])));
  const { html, headers } = probePage(inline.probe);

  return serve(context, scriptRoutes, {
    loader: ({ req, res }) => sendScript(req, res, loader, SHORT),
    doctor: ({ req, res }) => sendScript(req, res, doctor, SHORT),
    doctorPage: ({ res }) => void res.set(headers).send(html),
    pinnedLoader: (asked) => sendPinned(asked),
    formScript: (asked) => sendPinned(asked),
    formScriptAgain: (asked) => sendPinned(asked, `/form/${asked.params.file}`),
    logo: ({ res, params }) => {
      const logo = logos.get(params.file);
      if (!logo) throw new ProblemError('not_found', 'There is no such logo, or no longer.');
      res.set({
        'Content-Type': logo.type,
        'Cache-Control': IMMUTABLE,
        // An SVG that is opened by itself is a document of this origin: it may run nothing.
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
      res.send(logo.body);
    },
    embedding: ({ res }) => {
      const scripts = { loader, doctor, form, inline: [inline.painted, inline.form, inline.probe] };
      res
        .set({ 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'no-cache' })
        .json(embedding(config.public_url, scripts));
    },
  });
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
