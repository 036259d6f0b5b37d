import type { Browser, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost, strictPolicy } from '../../support/browsers/host-page.ts';
import { card } from '../../support/relays/relay.ts';
import { openPage } from '../../support/relays/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedChromium();
});

const findings = z.array(z.strictObject({ code: z.string(), message: z.string(), fix: z.string() }));

/** The findings of the doctor on the open page, as `code: fix` lines. */
async function diagnose(page: Page): Promise<string[]> {
  await page.waitForFunction(() => window.Turnpike);
  const found = findings.parse(await page.evaluate(() => window.Turnpike?.doctor()));
  return found.map(({ code, fix }) => `${code}: ${fix}`);
}

type Host = Awaited<ReturnType<typeof startHost>>;

/** Opens a page of the shop with this content and runs the doctor. */
async function doctorOn(
  host: Host,
  body: string,
  { head = host.loader, csp = strictPolicy(host.relay.url), opened = openPage(browser) } = {},
) {
  const { page, requests } = await opened;
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()} ${message.text()}`));
  const url = host.put({ csp, head, body });
  await page.goto(url);
  return { page, url, requests, said, found: await diagnose(page) };
}

const changeSession = (page: Page, session: string) =>
  page.locator('turnpike-checkout').evaluate((element, value) => element.setAttribute('session', value), session);

const checkout = (session: string) => `<turnpike-checkout session="${session}"></turnpike-checkout>`;

describe('Turnpike.doctor()', () => {
  it('finds nothing on a correct page and leaves nothing behind', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const csp = `${strictPolicy(host.relay.url)}; require-trusted-types-for 'script'; trusted-types 'none'`;
    // The doctor must ignore a broken address of another script.
    const head = `${host.loader}<script src="https://:"></script>`;
    const { page, found, said, requests } = await doctorOn(host, checkout(secret), { csp, head });
    expect(found).toEqual([]);
    expect(said).toEqual(['info Turnpike: nothing is wrong with this page.']);
    await expect.poll(() => page.frames().length).toBe(2);
    expect(requests.join('\n')).toContain('/checkout/doctor');
    expect(requests.join('\n')).not.toContain(secret);
  });

  it('prints each finding with the line that fixes it', async () => {
    const host = await startHost();
    const { said } = await doctorOn(host, '');
    expect(said).toEqual([
      'warning Turnpike: element_missing. There is no <turnpike-checkout> in the page, nor in an open shadow root of it.\n' +
        'To mend it: <turnpike-checkout session="CLIENT_SECRET"></turnpike-checkout>',
    ]);
  });

  it('prints the policy line when the policy forbids the frame', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const opened = openPage(browser);
    for (const [directive, kept] of [
      ["frame-src 'none'", ''],
      ['frame-src https://video.example', 'https://video.example '],
      ["child-src 'self'", "'self' "],
    ] as const) {
      const csp = strictPolicy(host.relay.url).replace(/frame-src [^;]*/, directive);
      const { found } = await doctorOn(host, checkout(secret), { csp, opened });
      expect(found).toEqual([`frame_forbidden: Content-Security-Policy: … frame-src ${kept}${host.relay.url}; …`]);
    }
  });

  it('names a forbidden origin only with the session’s secret', async () => {
    const host = await startHost();
    const { id, secret } = await host.relay.session();
    const { page } = await openPage(browser);
    const url = host.put({ csp: strictPolicy(host.relay.url), head: host.loader, body: checkout(secret) });
    const foreign = url.replace('localhost', 'shop.localhost');
    await page.goto(foreign);
    expect(await diagnose(page)).toEqual([
      `origin_not_allowed: Add to the account: "allowed_origins": ["${foreign.slice(0, -1)}", …]`,
    ]);
    await changeSession(page, `${id}.wrong`);
    expect((await diagnose(page)).join()).not.toMatch(/allowed_origins|open|129/);
  });

  it('reports sessions that ended, are unknown, or have another secret', async () => {
    const host = await startHost();
    const expired = await host.relay.session({ expires_in: 1 });
    host.relay.pass(2000);
    const paid = await host.relay.session();
    await host.relay.pay(paid.secret, card);
    const { id } = await host.relay.session();
    const { page } = await doctorOn(host, checkout(''));
    const codes = async (session: string) => {
      await changeSession(page, session);
      return (await diagnose(page)).map((line) => line.split(':')[0]);
    };
    expect(await codes(paid.secret)).toEqual(['session_approved']);
    expect(await codes(expired.secret)).toEqual(['session_expired']);
    expect(await codes(`${id}.wrong`)).toEqual(['secret_wrong']);
    expect(await codes('cs_unknown.wrong')).toEqual(['session_unknown']);
    expect(await codes(id)).toEqual(['session_malformed', 'secret_wrong']);
    expect(await codes('')).toEqual(['session_missing']);
  });

  it('finds scripts that are loaded twice or pinned wrongly', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const { body } = await host.relay.get('/embed.json');
    const [, integrity = ''] = /integrity="([^"]+)"/.exec(String(body.script)) ?? [];
    const src = `${host.relay.url}/turnpike.js`;
    const head = `${body.script}<script src="${src}" integrity="${integrity}" async></script>`;
    const { found } = await doctorOn(host, checkout(secret), { head });
    expect(found).toEqual([
      `loaded_twice: Remove <script src="${src}">`,
      `crossorigin_missing: <script src="${src}" integrity="${integrity}" crossorigin="anonymous" async></script>`,
      expect.stringContaining('pinned_moving_script'),
    ]);
  });

  it('detects text whose colour does not reveal the background', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const { page } = await openPage(browser);
    const body = checkout(secret).replace(' session', ' theme="auto" session');
    await page.goto(host.put({ csp: '', head: `${host.loader}<style></style>`, body }));
    for (const [pageThat, css, colorScheme, isNamed] of [
      ['is light on a dark device', '', 'dark', false],
      ['is dark', 'body { background: #000; color: oklch(0.9 0 0) }', 'light', false],
      ['has dark text on a dark ground', 'body { background: oklch(0.2 0.01 90) }', 'light', true],
      [
        'has light text on a light ground',
        'turnpike-checkout { background: rgb(250 250 250 / 0.9); color: #eee }',
        'dark',
        true,
      ],
      ['follows the device', ':root { color-scheme: light dark }', 'dark', false],
      [
        'has grey text, so that the form has a ground of its own',
        'body { color: #777; background: #fff }',
        'dark',
        false,
      ],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator('style').evaluate((style, text) => style.replaceChildren(text), css);
      const found = isNamed ? [expect.stringContaining('theme_not_followed: ')] : [];
      expect(await diagnose(page), pageThat).toEqual(found);
    }
  });

  it('detects an invisible element, in a shadow root too', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const { page, found } = await doctorOn(host, `<div hidden>${checkout(secret)}</div>`);
    expect(found).toEqual([expect.stringContaining('element_hidden: ')]);
    await page.evaluate(() => {
      const shown = document.body.appendChild(document.createElement('div'));
      shown.attachShadow({ mode: 'open' }).append(document.querySelector('turnpike-checkout') ?? '');
    });
    expect(await diagnose(page)).toEqual([]);
  });

  it('finds a frame that hides the page’s origin or forbids forms', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const { page, url } = await doctorOn(host, checkout(secret));
    const inner = async (permissions: string) => {
      const body = `<iframe sandbox="${permissions}" src="${url}"></iframe>`;
      await page.route(`${url}around`, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(`${url}around`);
      const [, frame] = page.frames();
      await frame?.waitForFunction(() => window.Turnpike);
      return findings.parse(await frame?.evaluate(() => window.Turnpike?.doctor())).map(({ code }) => code);
    };
    expect(await inner('allow-scripts allow-same-origin')).toEqual(['forms_forbidden']);
    expect(await inner('allow-scripts')).toEqual(['no_origin']);
    expect(await inner('allow-scripts allow-same-origin allow-forms')).toEqual([]);
  });

  it('reports an unanswered frame, and a doctor that does not load', async () => {
    const host = await startHost();
    const { secret } = await host.relay.session();
    const { page } = await openPage(browser);
    const url = host.put({ csp: strictPolicy(host.relay.url), head: host.loader, body: checkout(secret) });
    await page.route('**/checkout/doctor', (route) => route.abort());
    await page.clock.install();
    await page.goto(url);
    await page.waitForFunction(() => window.Turnpike);
    const asked = diagnose(page);
    await page.locator('iframe[title="Turnpike.doctor()"]').waitFor({ state: 'attached' });
    await page.clock.runFor(20_000);
    expect(await asked).toEqual([expect.stringContaining(`frame_silent: Open ${host.relay.url}/checkout/doctor`)]);
    await page.route('**/turnpike-doctor.js', (route) => route.abort());
    await page.goto(url);
    await expect(diagnose(page)).rejects.toThrow(`${host.relay.url}/turnpike-doctor.js`);
  });
});
