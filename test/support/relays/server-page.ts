import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { shopWithPackage } from '../docs/packed-client.ts';
import { sandboxGateway } from '../gateways/sandbox-gateway.ts';
import { apiKey, startTestRelay } from './relay.ts';

const root = join(import.meta.dirname, '../../..');

/** The pages for the developers of shops' servers, as one text. */
export const page = ['server-side', 'webhooks', 'operations', 'orders']
  .map((name) => readFileSync(join(root, `docs/${name}.md`), 'utf8'))
  .join('\n');

export const blocks = [...page.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, language = '', code = '']) => ({
  language,
  code,
}));

/** A secret for webhooks, created as the page says. */
export const webhookSecret = execFileSync(
  'sh',
  ['-c', blocks.find(({ code }) => code.includes('whsec_'))?.code ?? ''],
  {
    encoding: 'utf8',
  },
).trim();

/** A shop that installed the packages of the page, with the page's code in `payments.js`. */
export async function shopOfThePage() {
  const shop = await shopWithPackage();
  for (const library of ['express', '@types/express']) shop.install(library);
  shop.write('payments.js', blocks.flatMap(({ language, code }) => (language === 'js' ? [code] : [])).join('\n'));
  return shop;
}

/** The environment that the page's code reads. */
export function shopEnv(relayUrl: string): Record<string, string> {
  return { TURNPIKE_URL: relayUrl, TURNPIKE_API_KEY: apiKey, TURNPIKE_WEBHOOK_SECRET: webhookSecret };
}

/** A relay in front of a sandbox gateway, for one test. */
export async function startRelayAndGateway(config: Record<string, unknown> = {}) {
  const gateway = await sandboxGateway();
  return startTestRelay({ gatewayUrl: gateway.url, config });
}
