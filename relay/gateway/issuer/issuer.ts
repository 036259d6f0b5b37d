import { Agent, request } from 'undici';
import {
  AddressRefused,
  type AddressRules,
  allowedAddresses,
  bare,
  checkedLookup,
  isPrivateAddress,
  type Resolve,
} from './addresses.ts';

export type IssuerSettings = AddressRules & {
  follow: 'last' | 'first' | 'none';
  allow_hosts: readonly string[];
  max_hops: number;
  timeout_ms: number;
};

/** Why an issuer_url did not lead to a page. */
export type IssuerFault =
  | 'address_refused'
  | 'host_refused'
  | 'scheme_refused'
  | 'too_many_hops'
  | 'no_answer'
  | 'bad_answer';

export class IssuerError extends Error {
  override readonly name = 'IssuerError';
  readonly code: IssuerFault;

  constructor(code: IssuerFault, cause?: unknown) {
    super(`the issuer's page cannot be opened: ${code}`, { cause });
    this.code = code;
  }
}

const redirects = new Set([301, 302, 303, 307, 308]);

/** Plain http is for private addresses alone, whatever a name leads to when it is connected to. */
type Agents = { https: Agent; http: Agent };

/** What following needs at each hop. */
type Way = { settings: IssuerSettings; agents: Agents; resolve: Resolve | undefined };

/**
 * Requests issuer_url as §1 wants it and returns the address that the shopper's browser is sent to. Every hop's scheme,
 * host and address must be allowed; the sockets connect to the addresses that were checked. Throws IssuerError, at the
 * latest when `timeout_ms` is over.
 */
export async function followIssuerUrl(issuerUrl: string, settings: IssuerSettings, resolve?: Resolve): Promise<string> {
  const agentWith = (rules: AddressRules): Agent =>
    new Agent({ connect: { lookup: checkedLookup(rules, resolve) }, maxResponseSize: -1 });
  const agents = { https: agentWith(settings), http: agentWith({ ...settings, only_private: true }) };
  const signal = AbortSignal.timeout(settings.timeout_ms);
  // Neither a lookup nor a connection that hangs ends by the signal itself.
  const timeOver = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new IssuerError('no_answer', signal.reason)));
  });
  try {
    return await Promise.race([follow(issuerUrl, { settings, agents, resolve }, signal), timeOver]);
  } finally {
    await Promise.all(Object.values(agents).map((agent) => agent.destroy()));
  }
}

async function follow(issuerUrl: string, way: Way, signal: AbortSignal): Promise<string> {
  const { settings, agents } = way;
  let url = await checked(issuerUrl, way);
  if (settings.follow === 'none') return url.href;
  for (let hop = 0; hop <= settings.max_hops; hop++) {
    const target = await redirectTarget(url, url.protocol === 'https:' ? agents.https : agents.http, signal);
    if (target === undefined) return url.href;
    url = await checked(target, way);
    if (settings.follow === 'first') return url.href;
  }
  throw new IssuerError('too_many_hops');
}

async function redirectTarget(url: URL, agent: Agent, signal: AbortSignal): Promise<string | undefined> {
  const answer = await request(url, { dispatcher: agent, signal, headers: { accept: 'text/html,*/*' } }).catch(
    (error: unknown) => {
      throw new IssuerError(isRefusal(error) ? 'address_refused' : 'no_answer', error);
    },
  );
  // The page is the shopper's to read; the socket goes with the agent.
  answer.body.on('error', () => undefined).destroy();
  const { location } = answer.headers;
  if (redirects.has(answer.statusCode)) {
    const target = typeof location === 'string' ? URL.parse(location, url) : null;
    if (!target) throw new IssuerError('bad_answer');
    return target.href;
  }
  if (answer.statusCode < 200 || answer.statusCode > 299) throw new IssuerError('bad_answer');
  return undefined;
}

async function checked(address: string, { settings, resolve }: Way): Promise<URL> {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) {
    throw new IssuerError('scheme_refused');
  }
  if (!settings.allow_hosts.some((pattern) => hostMatches(url.hostname, pattern)))
    throw new IssuerError('host_refused');
  const addresses = await allowedAddresses(url.hostname, settings, resolve).catch((error: unknown) => {
    throw new IssuerError(isRefusal(error) ? 'address_refused' : 'no_answer', error);
  });
  const plainIsFine = settings.allow_private && addresses.every((entry) => isPrivateAddress(entry.address));
  if (url.protocol === 'http:' && !plainIsFine) throw new IssuerError('scheme_refused');
  return url;
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

function isRefusal(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}
