import { CookieJar } from 'tough-cookie';
import { Agent, request } from 'undici';
import { holdsMaskedCard } from '../../../shared/card-data/mask.ts';
import {
  AddressRefused,
  type AddressRules,
  allowedAddresses,
  bare,
  checkedLookup,
  isLocalName,
  isPrivateAddress,
  type Resolve,
} from './addresses.ts';

export type IssuerSettings = AddressRules & {
  follow: 'last' | 'first' | 'none';
  allow_hosts: readonly string[];
  /** Schemes of apps to which a shopper may be redirected, in lower case and without the colon. */
  allow_schemes: readonly string[];
  max_hops: number;
  timeout_ms: number;
};

/** Why the relay could not follow to the page: the hop answers with an error, too late or not at all. */
type HopFault = 'no_answer' | 'bad_answer';

/** The address for the shopper's browser. With a `fault`, the relay could not continue, but the browser may. */
export type Destination = { address: string; fault?: HopFault; http_status?: number };

const redirects = new Set([301, 302, 303, 307, 308]);

/** The shopper's browser, and the masked number of the card, if the payment is by card. */
type Shopper = { browser: Browser; card?: string | undefined };

/** The values needed at each hop. `arrive` takes each address that the shopper may be sent to. */
type Way = {
  settings: IssuerSettings;
  card: string | undefined;
  client: PageClient;
  resolve: Resolve | undefined;
  arrive: (url: URL) => void;
};

/** A hop's address that may be requested, one that only a browser can open, or one that the DNS does not know. */
type Hop = { kind: 'page' | 'app' | 'not_found'; url: URL };

/**
 * Requests issuer_url as §1 requires, with the headers of the shopper's browser, and returns the address for the browser. The scheme, host
 * and IP address of each hop must be allowed; the sockets connect to the checked addresses. If a hop fails, the browser continues there, at
 * the latest after `timeout_ms`. Throws IssuerError if an address is not allowed or holds the card's number, or if issuer_url is no URL.
 */
export async function followIssuerUrl(
  issuerUrl: string,
  settings: IssuerSettings,
  { browser, card }: Shopper,
  resolve?: Resolve,
): Promise<Destination> {
  const signal = AbortSignal.timeout(settings.timeout_ms);
  const client = createPageClient({ rules: settings, browser, resolve, signal });
  let reached: URL | undefined;
  const arrive = (url: URL): void => {
    reached = url;
  };
  // The signal alone ends neither a lookup nor a connection that hangs.
  const timeOver = new Promise<Destination>((end, reject) => {
    signal.addEventListener('abort', () =>
      reached ? end({ address: reached.href, fault: 'no_answer' }) : reject(new IssuerError('no_answer')),
    );
  });
  try {
    return await Promise.race([follow(issuerUrl, { settings, card, client, resolve, arrive }), timeOver]);
  } finally {
    await client.close();
  }
}

async function follow(issuerUrl: string, way: Way): Promise<Destination> {
  const { settings, client } = way;
  const first = URL.parse(issuerUrl);
  if (!first) throw new IssuerError('scheme_refused');
  let hop = await checked(first, way);
  for (let followed = 0; ; followed++) {
    const address = hop.url.href;
    if (hop.kind === 'app' || settings.follow === 'none') return { address };
    if (followed > 0 && settings.follow === 'first') return { address };
    if (hop.kind === 'not_found') return { address, fault: 'no_answer' };
    // After the last followed redirect, the browser gets this address in any case.
    if (followed === settings.max_hops) return { address };
    const answer = await client.get(hop.url);
    if (answer === 'no_answer') return { address, fault: 'no_answer' };
    const { status: http_status, location } = answer;
    if (!redirects.has(http_status)) {
      return http_status >= 200 && http_status <= 299 ? { address } : { address, fault: 'bad_answer', http_status };
    }
    const target = typeof location === 'string' ? URL.parse(location, hop.url) : null;
    if (!target) return { address, fault: 'bad_answer', http_status };
    hop = await checked(target, way);
  }
}

/** Checks the address of a hop. Throws IssuerError if it is not allowed. */
async function checked(url: URL, { settings, card = '', resolve, arrive }: Way): Promise<Hop> {
  if (holdsMaskedCard(url.href, card)) throw new IssuerError('card_in_address');
  if (settings.allow_schemes.includes(url.protocol.slice(0, -1))) {
    arrive(url);
    return { kind: 'app', url };
  }
  const isSecure = url.protocol === 'https:';
  if ((!isSecure && url.protocol !== 'http:') || url.username || url.password) throw new IssuerError('scheme_refused');
  if (!settings.allow_hosts.some((pattern) => hostMatches(url.hostname, pattern)))
    throw new IssuerError('host_refused');
  if (!settings.allow_private && isLocalName(url.hostname)) throw new IssuerError('address_refused');
  // The shopper's network may know a name that is not found here, or not in time. For plain http the address decides.
  if (isSecure) arrive(url);
  const addresses = await allowedAddresses(url.hostname, settings, resolve).catch((error: unknown) => {
    if (isAddressRefused(error)) throw new IssuerError('address_refused', error);
    if (!isSecure) throw new IssuerError('no_answer', error);
    return undefined;
  });
  const plainIsFine = settings.allow_private && addresses?.every((entry) => isPrivateAddress(entry.address));
  if (!isSecure && !plainIsFine) throw new IssuerError('scheme_refused');
  arrive(url);
  return { kind: addresses ? 'page' : 'not_found', url };
}

/** `*` is any host, `*.bank.example` any host below that one, anything else exactly that host. */
function hostMatches(hostname: string, pattern: string): boolean {
  const host = plainHost(hostname);
  const wanted = plainHost(pattern);
  if (wanted === '*') return true;
  return wanted.startsWith('*.') ? host.endsWith(wanted.slice(1)) : host === wanted;
}

/** A host's name in lower case, and without the dot at its end: such names are the same host. */
function plainHost(host: string): string {
  return bare(host).toLowerCase().replace(/\.$/, '');
}

/** Why the shopper cannot be sent to an issuer_url. */
type IssuerFault = 'card_in_address' | 'address_refused' | 'host_refused' | 'scheme_refused' | 'no_answer';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerFault;

  constructor(code: IssuerFault, cause?: unknown) {
    super(`the issuer's page cannot be opened: ${code}`, { cause });
    this.code = code;
  }
}

/** True for the error of a lookup, or of a connection, to an address that may not be called. */
function isAddressRefused(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}

/** The headers that describe the shopper's browser, by their names. */
export type Browser = Readonly<Partial<Record<'user-agent' | 'accept' | 'accept-language', string>>>;

type Answer = { status: number; location: string | string[] | undefined };

/** Requests pages as a shopper's browser does. `close` ends every connection. */
type PageClient = {
  /** Returns the head of the answer. Throws IssuerError `address_refused` if the host now resolves to an address that may not be called. */
  get(url: URL): Promise<Answer | 'no_answer'>;
  close(): Promise<void>;
};

/** Temporary errors of a bank: the page is requested once more. */
const momentary = new Set([502, 503, 504]);
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A client that keeps cookies between pages, and sends them as a browser does. */
function createPageClient(parts: {
  rules: AddressRules;
  browser: Browser;
  resolve: Resolve | undefined;
  signal: AbortSignal;
}): PageClient {
  const { rules, browser, resolve, signal } = parts;
  const agentWith = (rules: AddressRules): Agent =>
    new Agent({ connect: { lookup: checkedLookup(rules, resolve) }, maxResponseSize: -1 });
  // Plain http is only for private addresses, at the time of the connection, too.
  const agents = { 'https:': agentWith(rules), 'http:': agentWith({ ...rules, only_private: true }) };
  // The cookies are kept for one shopper only: a cookie for a whole public suffix does no harm.
  const cookies = new CookieJar(undefined, { rejectPublicSuffixes: false });

  const ask = async (url: URL): Promise<Answer | 'reset' | 'no_answer'> => {
    const cookie = await cookies.getCookieString(url);
    const headers = { accept: '*/*', ...browser, ...(cookie ? { cookie } : {}) };
    const dispatcher = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
    try {
      const answer = await request(url, { dispatcher, signal, headers });
      // The body is not read: the shopper reads it. The socket is closed with the agent.
      answer.body.on('error', () => undefined).destroy();
      await Promise.all(setCookies(answer.headers).map((one) => cookies.setCookie(one, url, { ignoreError: true })));
      return { status: answer.statusCode, location: answer.headers.location };
    } catch (error) {
      if (isAddressRefused(error)) throw new IssuerError('address_refused', error);
      return isReset(error) ? 'reset' : 'no_answer';
    }
  };

  return {
    async get(url) {
      const first = await ask(url);
      const again = first === 'reset' || (first !== 'no_answer' && momentary.has(first.status));
      const answer = again ? await ask(url) : first;
      return answer === 'reset' ? 'no_answer' : answer;
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
    },
  };
}

function setCookies({ 'set-cookie': given = [] }: Readonly<Record<string, string | string[] | undefined>>): string[] {
  return typeof given === 'string' ? [given] : given;
}

function isReset(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && resets.has(error.code);
}
