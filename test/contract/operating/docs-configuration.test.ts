import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { sha256 } from '../../../relay/base/keys.ts';
import { configFile } from '../../../relay/config/schema.ts';
import { demoMerchant } from '../../../sandbox/demo.ts';
import { createGateway } from '../../../sandbox/gateway/gateway.ts';
import { blocksOf, blockWith, pageText } from '../../support/docs/doc-blocks.ts';
import { checkShell } from '../../support/docs/doc-shell.ts';
import { serve } from '../../support/http/http-server.ts';
import { apiKey, card, startTestRelay } from '../../support/relays/relay.ts';

const page = 'docs/configuration.md';

/** A file with required settings only. */
const minimal = {
  public_url: 'http://a.example',
  gateway: { base_url: 'http://127.0.0.1' },
  accounts: [
    {
      id: 'demo',
      merchant_id: '1',
      account_id: '2',
      signing_secret: 's',
      allowed_origins: ['http://a.example'],
      api_keys: [{ name: 'a', sha256: 'a'.repeat(64), scopes: ['*'] }],
    },
  ],
};

const node = z.object({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  items: z.unknown().optional(),
});

/** The settings in a JSON schema, by path, and whether each is required. The profile has its own page. */
function* settingsIn(schema: unknown, path: string, required: boolean): Generator<[path: string, required: boolean]> {
  const { properties, required: names, items } = node.parse(schema);
  const hasFields = items !== undefined && node.parse(items).properties !== undefined;
  if (path === 'gateway.profile') yield [path, false];
  else if (hasFields) yield* settingsIn(items, `${path}[]`, true);
  else if (properties === undefined) yield [path, required];
  else {
    for (const [name, member] of Object.entries(properties)) {
      yield* settingsIn(member, path ? `${path}.${name}` : name, names.includes(name));
    }
  }
}

const schema = z.toJSONSchema(configFile, { io: 'input', unrepresentable: 'any' });
const settings = new Map(settingsIn(schema, '', true));

/** The default of a setting. */
function defaultOf(path: string): unknown {
  let value: unknown = configFile.parse({
    ...minimal,
    console: { listen: { port: 1 } },
    alerts: { recipients: [{ id: 'a' }] },
  });
  for (const step of path.replaceAll('[]', '.0').split('.')) {
    value = z.record(z.string(), z.unknown()).safeParse({ ...Object(value) }).data?.[step];
  }
  return value;
}

/** The rows of the page's tables of settings: setting, default. */
const rows = [...pageText(page).matchAll(/^\| `([a-z][\w.[\]]*)` \| (.+?) \| .+ \|$/gm)].map(
  ([, setting = '', documented = '']) => ({
    setting,
    documented,
  }),
);

describe(page, () => {
  it('names every setting once', () => {
    expect(rows.map(({ setting }) => setting).toSorted()).toEqual([...settings.keys()].toSorted());
  });

  it.each(rows)('states the default of $setting', ({ setting, documented }) => {
    if (setting === 'gateway.profile') return expect(documented).toBe("the sandbox's");
    if (settings.get(setting)) return expect(documented).toBe('required');
    const value = defaultOf(setting);
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    expect(documented).toBe(value === undefined ? '–' : `\`${text}\``);
  });

  it('contains a file that makes payments by card and Pix', async () => {
    const gateway = createGateway({ merchants: [demoMerchant], publicUrl: () => gatewayServer.url });
    const gatewayServer = await serve(gateway.app);
    onTestFinished(gatewayServer.close);
    const commands = blockWith(page, 'sh', 'DEMO_SIGNING_SECRET');
    checkShell(commands);
    expect(commands).toContain(`DEMO_SIGNING_SECRET=${demoMerchant.signing_secret}`);

    const file = blockWith(page, 'json', 'public_url').replace('THE_HASH_OF_THE_KEY', sha256(apiKey));
    const { accounts, issuer } = JSON.parse(
      file.replace('{ "env": "DEMO_SIGNING_SECRET" }', `"${demoMerchant.signing_secret}"`),
    );
    const relay = await startTestRelay({ gatewayUrl: gatewayServer.url, config: { accounts, issuer } });

    const body = /-d '(\{[\s\S]*\})'/.exec(blockWith('README.md', 'sh', '/v1/sessions'))?.[1] ?? '';
    const session = await relay.post('/v1/sessions', apiKey, body);
    expect(session).toMatchObject({ status: 201, body: { order_no: 'A-1001' } });
    const secret = String(session.body.client_secret);
    const { redirect_url } = (await relay.pay(secret, { payment_method: 'PIX' })).body;
    expect((await relay.get(String(redirect_url).slice(relay.url.length))).status).toBe(303);
    const back = await relay.comeBack(String(session.body.id));
    expect(back.headers.get('location')).toContain('http://127.0.0.1:8082/thanks?');
    expect((await relay.pay(secret, card)).body).toMatchObject({ status: 'approved' });
  });

  it('contains no other code', () => {
    expect(blocksOf(page).map(({ language }) => language)).toEqual(['sh', 'json']);
  });
});
