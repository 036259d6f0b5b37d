import { CookieJar } from 'tough-cookie';
import { Agent, request } from 'undici';
import { AddressRefused, type AddressRules, checkedLookup, type Resolve } from './addresses.ts';

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
export function isAddressRefused(error: unknown): boolean {
  return error instanceof AddressRefused || (error instanceof Error && error.cause instanceof AddressRefused);
}

/** What the shopper's browser says of itself in its headers, by their names. */
export type Browser = Readonly<Partial<Record<'user-agent' | 'accept' | 'accept-language', string>>>;

type Answer = { status: number; location: string | string[] | undefined };

/** Requests pages as one shopper's browser does. `close` ends every connection. */
export type PageClient = {
  /** The answer's head. Throws IssuerError `address_refused` where the page's host has moved to an address that may not be called. */
  get(url: URL): Promise<Answer | 'no_answer'>;
  close(): Promise<void>;
};

/** A bank's momentary troubles: the page is asked for once more. */
const momentary = new Set([502, 503, 504]);
const resets = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** A client that keeps its cookies from page to page, and sends them where a browser would. */
export function createPageClient(parts: {
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
  // Nobody but this shopper's bank reads them: a cookie for all of a country's sites does no harm.
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
