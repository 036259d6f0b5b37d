import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { z } from 'zod';
import { blockWith, runBlocks } from '../support/doc-blocks.ts';
import { element, payWith, runModule, startReader } from '../support/doc-reader.ts';
import { startTestRelay, testConfig } from '../support/relay.ts';
import { launchChromium } from '../support/stack.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchChromium();
});
afterAll(() => browser.close());

/** A reader's page under the policy of a block, in which a payment goes through. Answers with what the browser refused. */
async function payUnder(code: string, page = element): Promise<string[]> {
  const reader = await startReader(browser);
  const { own, loader, open, form } = reader;
  const [, policy = ''] = /^Content-Security-Policy: (.+)$/m.exec(own(code)) ?? [];
  await open(own(page), { csp: policy, head: page.includes('turnpike.js') ? '' : loader });
  await payWith(form);
  await form.getByRole('heading', { name: 'Payment approved' }).waitFor();
  expect(reader.paid()).toHaveLength(1);
  // What is not the page's, but the test's: its list of events, and an icon.
  return reader.complaints.filter((complaint) => !/\/shop\.js|'data:,'/.test(complaint));
}

runBlocks('docs/csp-and-sri.md', [
  {
    language: 'http',
    says: 'Policy: script-src https://pay.example',
    run: async (code) => expect(await payUnder(code)).toEqual([]),
  },
  {
    language: 'http',
    says: "default-src 'none'",
    run: async (code) => expect(await payUnder(code)).toEqual([]),
  },
  {
    language: 'http',
    says: "'strict-dynamic'",
    async run(code) {
      const complaints = await payUnder(code, blockWith('docs/csp-and-sri.md', 'html', 'nonce='));
      expect(complaints).toEqual([]);
    },
  },
  {
    language: 'html',
    says: 'nonce="rAnd0m"',
    // Under a policy that takes this nonce and no other script; the one above it has it paid.
    async run(code) {
      const { open, own, form } = await startReader(browser);
      await open(own(code), { csp: own("script-src 'nonce-rAnd0m'; frame-src https://pay.example") });
      await form.locator('button[type=submit]').waitFor();
    },
  },
  {
    language: 'json',
    says: 'allowed_origins',
    async run(code) {
      const { allowed_origins } = z.strictObject({ allowed_origins: z.array(z.string()) }).parse(JSON.parse(code));
      const accounts = z.array(z.looseObject({})).parse(testConfig({ gatewayUrl: '', folder: '' }).accounts);
      const config = { accounts: accounts.map((account) => ({ ...account, allowed_origins })) };
      const relay = await startTestRelay({ gatewayUrl: 'http://127.0.0.1:9', config });
      const { id } = await relay.session();
      const answer = await relay.get(`/checkout/${id}`);
      expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors ${allowed_origins.join(' ')};`);
    },
  },
  {
    language: 'html',
    says: 'turnpike-<hash>.js',
    async run(code) {
      const reader = await startReader(browser);
      const { body } = await reader.relay.get('/embed.json');
      const tag = String(body.script);
      // The page shows the element that /embed.json gives, but for what only a build knows.
      const shown = reader.own(code).trim().split('\n').at(-1);
      expect(tag.replace(/-\w+\.js/, '-<hash>.js').replace(/sha384-[^"]+/, 'sha384-…')).toBe(shown);
      const [preconnect = ''] = reader.own(code).split('\n');
      await reader.open(reader.own(element), { head: `${preconnect}${tag}` });
      await reader.heard('ready');
      expect(reader.complaints).toEqual([]);
    },
  },
  {
    language: 'js',
    says: 'console.log(script)',
    async run(code) {
      const reader = await startReader(browser);
      const [line = ''] = await runModule(reader.own(code));
      const shape = (text: string) => text.replace(/-\w+\.js/, '-….js').replace(/sha384-[^"]+/, 'sha384-…');
      expect(code).toContain(`// ${shape(line).replace(reader.relay.url, 'https://pay.example')}`);
    },
  },
  {
    language: 'js',
    says: 'const { scripts }',
    async run(code) {
      const reader = await startReader(browser);
      const lines = await runModule(reader.own(code));
      expect(lines.filter((line) => line.startsWith('page ')).map((line) => line.split(' ')[1])).toEqual([
        expect.stringMatching(/\/turnpike-\w+\.js$/),
        expect.stringMatching(/\/turnpike-doctor\.js$/),
      ]);
      expect(lines.filter((line) => line.startsWith('frame ')).length).toBeGreaterThan(3);
      for (const line of lines) expect(line).toMatch(/^(page|frame) (inline|https?:\S+) sha\d+-\S+ \w.+/);
    },
  },
]);
