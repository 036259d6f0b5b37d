import type { Request, Response, Router } from 'express';
import { embedding } from '../../shared/checkout/scripts.ts';
import { ProblemError } from '../base/errors.ts';
import type { Context } from '../context/context.ts';
import { noDevices } from '../http/answer.ts';
import { serve } from '../http/serve.ts';
import { scriptRoutes } from '../routes/pages.ts';
import { type Asset, type Assets, IMMUTABLE, type InlineScript, SHORT, sendScript } from './assets.ts';

/** Serves the scripts of a shop's page and of the frame, the values for a shop's security policy, and the accounts' logos. */
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
  // The content of a logo never changes under one name.
  const logos = new Map(config.accounts.flatMap(({ appearance: { logo } }) => (logo ? [[logo.file, logo]] : [])));
  const { html, headers } = probePage(inline.probe);

  return serve(context, scriptRoutes, {
    loader: ({ req, res }) => sendScript(req, res, loader, SHORT),
    doctor: ({ req, res }) => sendScript(req, res, doctor, SHORT),
    doctorPage: ({ res }) => void res.set(headers).send(html),
    pinnedLoader: (request) => sendPinned(request),
    formScript: (request) => sendPinned(request),
    formScriptAgain: (request) => sendPinned(request, `/form/${request.params.file}`),
    logo: ({ res, params }) => {
      const logo = logos.get(params.file);
      if (!logo) throw new ProblemError('not_found', 'There is no such logo, or no longer.');
      res.set({
        'Content-Type': logo.type,
        'Cache-Control': IMMUTABLE,
        // Opened directly, an SVG is a document of this origin, so it may run no script.
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
 * The hidden page of `Turnpike.doctor()`. Any page may frame it, because it finds out why a page cannot frame the form. The page
 * itself has no data: it reads the public view of a session, for which it needs the session's client secret.
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
      ...noDevices,
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'cross-origin',
    },
  };
}
