import { join } from 'node:path';
import { build } from 'vite';
import { contentSecurityPolicy } from '../../../relay/pages/page.ts';
import { serve } from '../http/http-server.ts';

const PAGE = '<!doctype html><html lang="pt-BR"><title>x</title><script src="/device.js"></script><input>';

/** A page with `device-page.ts` as its script, under the frame's content security policy. */
export async function serveDevicePage(): Promise<{ url: string; close(): Promise<void> }> {
  const script = await bundled(join(import.meta.dirname, 'device-page.ts'));
  return serve((req, res) => {
    const isScript = req.url === '/device.js';
    res.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    res.setHeader('Content-Security-Policy', contentSecurityPolicy("'sha256-none'", "'self'"));
    res.end(isScript ? script : PAGE);
  });
}

async function bundled(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'page' } },
  });
  const [output] = [built].flat().flatMap((part) => ('output' in part ? part.output : []));
  if (output?.type !== 'chunk') throw new Error(`${entry} was not bundled`);
  return output.code;
}
