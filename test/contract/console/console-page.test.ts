import { expect, it } from 'vitest';
import { builtConsole, signIn, startConsole, trySignIn } from '../../support/operators/console.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
  "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

it('returns one page at every address, which no site may frame', async () => {
  const relay = await startConsole({ consolePage: builtConsole() });
  const pages = [];
  for (const path of ['/console', '/console/orders?status=unknown', '/console/orders/A-1001', '/console/audit/']) {
    const page = await relay.send(path);
    expect([path, page.status]).toEqual([path, 200]);
    expect(page.headers.get('permissions-policy')).toBe('camera=(), geolocation=(), microphone=(), usb=()');
    expect(page.headers.get('content-security-policy')).toBe(policy);
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    pages.push(page.text);
  }
  expect(new Set(pages).size).toBe(1);
  expect(pages[0]).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/);
  expect(pages[0]).toContain('src="/console/assets/app-1a2b.js"');
});

it('returns the files that the build names, and no other', async () => {
  const relay = await startConsole({ consolePage: builtConsole() });
  const script = await relay.send('/console/assets/app-1a2b.js');
  expect(script).toMatchObject({ status: 200, text: 'import("./figures-3c.js")' });
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(script.headers.get('content-encoding')).toBe('gzip');
  const style = await relay.send('/console/assets/app-4d.css', { headers: { 'accept-encoding': 'identity' } });
  expect(style).toMatchObject({ status: 200, text: 'body{}' });
  expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
  for (const name of ['secret.txt', 'manifest.json', '..%2fmanifest.json', 'app-0.js']) {
    expect(await relay.send(`/console/assets/${name}`)).toMatchObject({ status: 404 });
  }
});

it('accepts sign-ins before its page is built', async () => {
  const relay = await startConsole();
  expect(await relay.send('/console')).toMatchObject({ status: 404, body: { code: 'not_found' } });
  expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 200 });
});

it('is served only at its own address, if configured', async () => {
  const relay = await startConsole({ consolePage: builtConsole(), console: { listen: { port: 0 } } });
  expect(await relay.send('/console')).toMatchObject({ status: 404 });
  expect(await trySignIn(relay, 'Ada', 'ada’s')).toMatchObject({ status: 404 });
  const own = new URL(relay.consoleUrl ?? '');
  expect(own.port).not.toBe(new URL(relay.url).port);
  expect((await fetch(own)).status).toBe(200);
  expect((await fetch(new URL('/v1/orders', own))).status).toBe(404);
  const answer = await fetch(new URL('/console/api/me', own));
  expect([answer.status, answer.headers.get('content-security-policy')]).toEqual([401, policy]);
  expect(await relay.stop()).toBe('finished');
});

it('sends its page’s security headers with API answers, too', async () => {
  const relay = await startConsole();
  const visitor = await signIn(relay);
  const answer = await visitor.get('/console/api/demo/v1/audit');
  expect(answer.headers.get('content-security-policy')).toBe(policy);
  expect(answer.headers.get('cache-control')).toBe('no-store');
});
