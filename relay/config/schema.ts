import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { scopes } from '../../shared/checkout/scopes.ts';
import { profile } from '../gateway/profile.ts';
import { alerts } from './alerts.ts';
import { appearance } from './appearance.ts';
import { endpointSettings } from './endpoints.ts';
import { confirmAbove, people } from './people.ts';
import { secret } from './secrets.ts';
import { httpUrl, parseUrl } from './urls.ts';

const port = z.int().min(0).max(65_535);
/** The maximum duration of one step that a client waits for. */
const limitMs = z.int().min(1).max(600_000, 'must be ten minutes (600000) at the most');
/** How long reconciliation waits. */
const spanMs = z.int().min(1).max(31_536_000_000, 'must be a year (31536000000) at the most');

/** The number of attempts that a limit permits. */
const positiveCount = z.int().min(1).max(1_000_000_000, 'must be a billion (1000000000) at the most');

/** It is part of a policy's `frame-ancestors`, where other characters of a URL's host would start another token. */
const origin = z
  .string()
  .transform((value) => value.replace(/\/$/, ''))
  .refine(
    (value) => /^https?:\/\/[\w.:[\]-]+$/.test(value) && parseUrl(value)?.origin === value,
    'must be an origin such as https://shop.example, without a path',
  );

const returnPrefix = z.string().refine((value) => {
  const url = parseUrl(value);
  return url !== null && url.host !== '' && !url.search && !url.hash && !url.username;
}, 'must be a URL with a scheme, a host and a path prefix');

const ownHeaders = [
  ...['content-type', 'content-length', 'host', 'connection', 'transfer-encoding'],
  ...['keep-alive', 'upgrade', 'expect'],
];

const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'must be a header name')
  .refine((name) => !ownHeaders.includes(name.toLowerCase()), {
    error: ({ input }) => `the header ${String(input)} is the relay’s own to set`,
  });

const addressRange = z
  .string()
  .refine(
    (value) => ipaddr.isValid(value) || ipaddr.isValidCIDR(value),
    'must be an IP address or a CIDR range such as 10.0.0.0/8',
  );

/** Schemes with a meaning in browsers, which are not the schemes of apps. */
const webSchemes = [
  ...['http', 'https', 'ws', 'wss', 'ftp', 'file', 'filesystem', 'blob', 'data', 'about', 'javascript', 'vbscript'],
  ...['view-source', 'chrome', 'chrome-extension', 'moz-extension', 'resource', 'mailto', 'tel', 'sms'],
];

const appScheme = z
  .string()
  .toLowerCase()
  .transform((value) => value.replace(/:(\/\/)?$/, ''))
  .refine((value) => /^[a-z][a-z0-9+.-]*$/.test(value), 'must be a scheme such as bankapp')
  .refine((value) => !webSchemes.includes(value), 'is no scheme of an app');

/** The form of a setting that `withTextsRead` reads. */
const TEXT = 'must be a text, { "env": NAME } or { "file": PATH }';

const headers = z
  .record(headerName, z.string(TEXT).regex(/^[\t\x20-\x7e\x80-\xff]*$/, 'must be a header value on one line'))
  .default({});

/** The number of requests of an API key that each relay accepts. Default: no limit. */
const rateLimit = z
  .strictObject({ per_minute: positiveCount, burst: positiveCount.optional() })
  .transform(({ per_minute, burst = per_minute }) => ({ per_minute, burst }));

const account = z.strictObject({
  id: z.string().regex(/^[a-z0-9_-]{1,64}$/i, 'must be 1 to 64 letters, digits, - or _'),
  merchant_id: z.string().min(1),
  account_id: z.string().min(1),
  signing_secret: secret,
  /** The previous secrets. Values derived from them stay valid. They do not sign or verify messages. */
  previous_signing_secrets: z.array(secret).max(2).default([]),
  name: z.string().min(1).max(200).optional(),
  allowed_origins: z.array(origin).min(1),
  return_urls: z.array(returnPrefix).default([]),
  api_keys: z
    .array(
      z.strictObject({
        name: z.string().min(1),
        sha256: z
          .string()
          .toLowerCase()
          .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of the key as 64 hex digits'),
        scopes: z.array(z.enum(scopes)).min(1),
        rate_limit: rateLimit.optional(),
      }),
    )
    .min(1),
  /** `lenient`: a shop's amount without a decimal point is accepted. */
  amounts: z.enum(['strict', 'lenient']).default('strict'),
  /** The currencies of its orders. Default: those of ISO 4217. */
  currencies: z
    .array(z.string().regex(/^[A-Z]{3}$/, 'must be a currency such as BRL'))
    .min(1)
    .optional(),
  /** Headers of this account's messages to the gateway. They take precedence over the general headers. */
  gateway: z.strictObject({ headers }).prefault({}),
  ...endpointSettings,
  /** The appearance of the relay's own pages: the hosted checkout, and the pages around the issuer's page. */
  appearance: appearance.prefault({}),
});

const gateway = z.strictObject({
  base_url: httpUrl,
  timeout_ms: limitMs.default(30_000),
  headers,
  profile: profile.prefault({}),
});

const server = z.strictObject({
  /**
   * Further connections are closed at once. At most half of the process's file descriptors are used for connections.
   */
  max_connections: z.int().min(1).max(1_000_000, 'must be a million (1000000) at the most').default(10_000),
  /**
   * How long a connection may take until the head of its request has arrived, including a new connection without a
   * byte.
   */
  headers_ms: limitMs.default(10_000),
  /** How long a complete request may take to arrive. */
  request_ms: limitMs.default(60_000),
  /** How long an idle connection stays open. Must be longer than the timeout of the proxy in front. */
  idle_ms: limitMs.default(5000),
});

/** The relay's config file. Settings with a default may be left out. */
export const configFile = z.strictObject({
  listen: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port: port.default(8080) }).prefault({}),
  /** Limits of the relay's server, before a request is read. */
  server: server.prefault({}),
  public_url: origin,
  trust_proxy: z.array(addressRange).default([]),
  store: z
    .string(TEXT)
    .regex(/^(?:sqlite:.+|postgres(?:ql)?:\/\/.+)/, 'must be sqlite:PATH, sqlite::memory: or postgres://…')
    .default('sqlite:./data/turnpike.db'),
  gateway,
  issuer: z
    .strictObject({
      follow: z.enum(['last', 'first', 'none']).default('last'),
      allow_hosts: z.array(z.string().min(1)).default(['*']),
      allow_schemes: z.array(appScheme).default([]),
      allow_private: z.boolean().default(false),
      max_hops: z.int().min(1).max(20).default(5),
      timeout_ms: limitMs.default(10_000),
    })
    .prefault({}),
  webhooks: z.strictObject({ allow_private: z.boolean().default(false) }).prefault({}),
  limits: z
    .strictObject({
      attempts_per_session: positiveCount.default(5),
      attempts_per_ip_per_hour: positiveCount.default(30),
      attempts_per_card_per_hour: positiveCount.default(10),
      attempts_per_account_per_minute: positiveCount.default(600),
    })
    .prefault({}),
  resolve: z
    .strictObject({
      first_ms: spanMs.default(1000),
      max_ms: spanMs.default(60_000),
      absent_ms: spanMs.default(900_000),
      give_up_ms: spanMs.default(86_400_000),
      return_ms: limitMs.default(60_000),
      /** How long after an approval its record is queried; 0: never. */
      confirm_ms: z.int().min(0).max(604_800_000, 'must be a week (604800000) at the most').default(10_000),
      /** The days after its payment on which an order is queried, if it is not watched. */
      paid_days: z.array(z.int().min(1).max(400)).max(10).default([1, 7, 30]),
      search_ms: limitMs.default(5000),
    })
    .prefault({}),
  /** True: the relay changes nothing at the gateway and sends no webhooks. */
  paused: z.boolean().default(false),
  /** The maximum time that a stop waits for running work. Default: longer than the gateway's timeout. */
  shutdown_ms: limitMs.optional(),
  retention_days: z.int().min(1).max(36_500, 'must be a hundred years (36500) at the most').default(400),
  /** How many days the request log keeps a request; 0: no request log. */
  request_log_days: z.int().min(0).max(36_500, 'must be a hundred years (36500) at the most').default(7),
  /** The operations console. It exists if `people` is not empty. */
  console: z
    .strictObject({
      people,
      /** The header in which a proxy of `trust_proxy` names the signed-in person. */
      trust_header: headerName.optional(),
      /** A separate address of the console, which is then not served at the relay's address. */
      listen: z.strictObject({ host: z.string().min(1).default('127.0.0.1'), port }).optional(),
      confirm_above: confirmAbove.optional(),
      /** The reasons that the refund dialog suggests. */
      refund_reasons: z.array(z.string().trim().min(1).max(200)).max(30).optional(),
      /** `required`: people who sign in by password must set up a second factor first. */
      second_factor: z.enum(['optional', 'required']).default('optional'),
      /** Requests above `confirm_above` wait for the approval of another person. */
      approval: z.boolean().default(false),
    })
    .prefault({}),
  /** The recipients of alerts. */
  alerts: alerts.prefault({}),
  accounts: z.array(account).min(1),
});
export type ConfigFile = z.infer<typeof configFile>;
