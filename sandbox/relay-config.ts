import { createHash, randomBytes, scryptSync } from 'node:crypto';
import { demoMerchant, demoPerson } from './demo.ts';
import { orderCodes, paymentCodes } from './gateway/books/states.ts';
import { METHOD_BY_HAND } from './gateway/faults/test-cards.ts';

type Addresses = {
  port: number;
  gatewayUrl: string;
  shopPort: number;
  /** The address of a further page of the shop, if there is one. */
  besidePort?: number | undefined;
  /** The address of the webhooks' receiver. */
  webhookUrl: string;
  /** Further origins whose pages may contain the checkout, and to whose pages shoppers may return. */
  origins?: readonly string[];
  apiKey: string;
  /** The password of the console's person; without it the console has no people. */
  password?: string | undefined;
  dataDir: string;
};

/** The variable with the demo account's signing secret, for the relay. */
export const SECRET_VARIABLE = 'DEMO_SIGNING_SECRET';

/** The variable with the secret of the webhooks, for the shop. */
export const WEBHOOK_SECRET_VARIABLE = 'DEMO_WEBHOOK_SECRET';

/** The shop's logo, as on its pages. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 104 36" width="104" height="36">
<path d="M4 31C4 13 13 5 28 5c0 17-9 26-24 26Z" fill="#3a8a66"/><path d="m4 31 15-17" stroke="#fff" stroke-width="1.5" stroke-linecap="round"/>
<text x="37" y="26" font-family="Georgia, 'Liberation Serif', serif" font-size="24" fill="#3a8a66">Folha</text>
</svg>`;

/** The states, each with its only code. */
function listed(codes: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(codes).map(([state, code]) => [state, [code]]));
}

/**
 * The relay's profile of the sandbox's gateway: the codes that it uses in addition to those in the published interface.
 */
export const relayProfile = {
  codes: {
    order_status: listed(orderCodes),
    payment_status: listed(paymentCodes),
    recurring_status: { active: ['1'], inactive: ['0'] },
    payout_status: { completed: ['COMPLETED'], failed: ['FAILED'] },
  },
  capture: { PIX: 'automatic', [METHOD_BY_HAND]: 'manual' },
};

/** The relay's config file for the sandbox: one account, the shop as its only origin, and play money on loopback. */
export function relayConfig(addresses: Addresses) {
  const { port, gatewayUrl, shopPort, besidePort = shopPort, apiKey, password, dataDir } = addresses;
  const ports = [...new Set([shopPort, besidePort])];
  const origins = [...ports.map((shop) => `http://127.0.0.1:${shop}`), ...(addresses.origins ?? [])];
  const shopOrigins = [...new Set(origins.flatMap(withOtherName))];
  return {
    listen: { host: '127.0.0.1', port },
    public_url: `http://127.0.0.1:${port}`,
    store: `sqlite:${dataDir}/turnpike.db`,
    gateway: {
      base_url: gatewayUrl,
      timeout_ms: 10_000,
      profile: relayProfile,
    },
    // A person who tries the sandbox pays with one card from one address all day.
    limits: { attempts_per_ip_per_hour: 10_000, attempts_per_card_per_hour: 10_000 },
    issuer: { allow_private: true, allow_schemes: ['sandbank'] },
    webhooks: { allow_private: true },
    ...(password === undefined
      ? {}
      : {
          console: {
            people: [{ name: demoPerson, password: scryptHash(password), scopes: ['*'], accounts: ['demo'] }],
            confirm_above: { BRL: '200.00', USD: '50.00' },
          },
        }),
    accounts: [
      {
        id: 'demo',
        merchant_id: demoMerchant.merchant_id,
        account_id: demoMerchant.account_id,
        signing_secret: { env: SECRET_VARIABLE },
        name: 'Folha',
        allowed_origins: shopOrigins,
        return_urls: shopOrigins.map((origin) => `${origin}/`),
        api_keys: [{ name: 'shop', sha256: createHash('sha256').update(apiKey).digest('hex'), scopes: ['*'] }],
        webhook: {
          url: addresses.webhookUrl,
          secrets: [{ env: WEBHOOK_SECRET_VARIABLE }],
        },
        appearance: {
          variables: {
            '--turnpike-color-accent': 'light-dark(#2f6b52, #8fceb0)',
            '--turnpike-color-on-accent': 'light-dark(#fff, #10201a)',
            '--turnpike-color-background': 'light-dark(#fff, #1d241f)',
            '--turnpike-color-field': 'light-dark(#fff, #151a16)',
            '--turnpike-color-summary': 'light-dark(#faf7f0, #151a16)',
          },
          logo: `data:image/svg+xml,${encodeURIComponent(logo)}`,
        },
      },
    ],
  };
}

/** A scrypt hash in the PHC string format. */
function scryptHash(password: string): string {
  const salt = randomBytes(16);
  const hash = scryptSync(password, salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  const [saltText, hashText] = [salt, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$scrypt$ln=14,r=8,p=1$${saltText}$${hashText}`;
}

/** `localhost` and `127.0.0.1` are the same machine, and a person may type either. */
function withOtherName(origin: string): string[] {
  const names = ['//127.0.0.1', '//localhost'];
  const own = names.find((name) => new RegExp(`${name}(:\\d+)?$`).test(origin));
  return own === undefined ? [origin] : names.map((name) => origin.replace(own, name));
}
