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
  /** Schemes of apps that a shopper may be sent to, in small letters and without the colon. */
  allow_schemes: readonly string[];
  max_hops: number;
  timeout_ms: number;
};

/** Why following ended before its page: the hop answers with an error, or not in time or at all. */
type HopFault = 'no_answer' | 'bad_answer';

/** Where issuer_url leads the shopper's browser. With a `fault` the relay got no further, and the browser may. */
export type Destination = { address: string; fault?: HopFault; http_status?: number };

const redirects = new Set([301, 302, 303, 307, 308]);

/** Who is sent to the issuer, with the masked number of the card that is paid with, where it is one. */
type Shopper = { browser: Browser; card?: string | undefined };

/** What following needs at each hop. `arrive` takes each address that the shopper may be sent to. */
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
  // Neither a lookup nor a connection that hangs ends by the signal itself.
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
    // What comes after the last redirect that is followed is the same to the shopper, whatever it is.
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

/** What a hop's address is. Throws IssuerError where it is not allowed. */
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
  // The shopper's own network may know a name that is not found here, or not in time. Plain http depends on the address.
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

/** A host's name without what does not tell it from the same name: capitals, and the dot at its end. */
function plainHost(host: string): string {
  return bare(host).toLowerCase().replace(/\.$/, '');
}

/** Why an issuer_url leads to nowhere that a shopper may be sent to. */
type IssuerFault = 'card_in_address' | 'address_refused' | 'host_refused' | 'scheme_refused' | 'no_answer';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerFault;

  constructor(code: IssuerFault, cause?: unknown) {
    super(`the issuer's page cannot be opened: ${code}`, { cause });
    this.code = code;
  }
}

/** True for a lookup, or a connection, that ended because its address may not be called. */
function isAddressRefused(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}

/** What the shopper's browser says of itself in its headers, by their names. */
export type Browser = Readonly<Partial<Record<'user-agent' | 'accept' | 'accept-language', string>>>;

type Answer = { status: number; location: string | string[] | undefined };

/** Requests pages as one shopper's browser does. `close` ends every connection. */
type PageClient = {
  /** The answer's head. Throws IssuerError `address_refused` where the page's host has moved to an address that may not be called. */
  get(url: URL): Promise<Answer | 'no_answer'>;
  close(): Promise<void>;
};

/** A bank's momentary troubles: the page is asked for once more. */
const momentary = new Set([502, 503, 504]);
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A client that keeps its cookies from page to page, and sends them where a browser would. */
function createPageClient(parts: {
  rules: AddressRules;
  browser: Browser;
  resolve: Resolve | undefined;
  signal: AbortSignal;
}): PageClient {
  const { rules, browser, resolve, signal } = parts;
  const agentWith = (rules: AddressRules): Agent =>
    new Agent({ connect: { lookup: checkedLookup(rules, resolve) }, maxResponseSize: -1 });
  // Plain http is for private addresses alone, whatever a name leads to when it is connected to.
  const agents = { 'https:': agentWith(rules), 'http:': agentWith({ ...rules, only_private: true }) };
  // Only this shopper's bank reads them: a cookie for all of a country's sites does no harm.
  const cookies = new CookieJar(undefined, { rejectPublicSuffixes: false });

  const ask = async (url: URL): Promise<Answer | 'reset' | 'no_answer'> => {
    const cookie = await cookies.getCookieString(url);
    const headers = { accept: '*/*', ...browser, ...(cookie ? { cookie } : {}) };
    const dispatcher = url.protocol === 'https:' ? agents['https:'] : agents['http:'];
    try {
      const answer = await request(url, { dispatcher, signal, headers });
      // The page is the shopper's to read; the socket goes with the agent.
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
