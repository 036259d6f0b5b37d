import { z } from 'zod';
import type { CreateSession } from '../../shared/checkout/session.ts';
import { sessionStatuses } from '../../shared/checkout/status.ts';

/** What a shop keeps of a session that it made, to show its checkout. */
export const created = z.object({
  id: z.string().min(1),
  client_secret: z.string().min(1),
  checkout_url: z.url({ protocol: /^https?$/ }),
});
export type CreatedSession = z.infer<typeof created>;

const session = z.object({
  status: z.enum(sessionStatuses),
  order_no: z.string(),
  currency: z.string(),
  amount: z.string(),
  transaction_id: z.string().optional(),
  card: z.string().optional(),
});
export type Session = z.infer<typeof session>;

const problem = z.object({
  title: z.string(),
  detail: z.string().optional(),
  code: z.string(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type RelayProblem = z.infer<typeof problem>;

/** The relay did not answer at all. */
export class RelayUnreachable extends Error {
  readonly code = 'relay_unreachable';
  override readonly name = 'RelayUnreachable';
}

/** The relay answered with a problem (RFC 9457). */
export class RelayRefused extends Error {
  readonly code = 'relay_refused';
  override readonly name = 'RelayRefused';
  readonly status: number;
  readonly problem: RelayProblem;

  constructor(status: number, told: RelayProblem) {
    super(`the relay answered ${status} ${told.code}`);
    this.status = status;
    this.problem = told;
  }
}

/** What answered does not speak as the relay does. */
export class RelayAnswerUnusable extends Error {
  readonly code = 'relay_answer_unusable';
  override readonly name = 'RelayAnswerUnusable';
}

const PATIENCE_MS = 10_000;

/** The two calls that a shop's server makes. Each throws RelayUnreachable, RelayRefused or RelayAnswerUnusable. */
export class RelayClient {
  readonly #url: () => string;
  readonly #apiKey: string;

  constructor(url: () => string, apiKey: string) {
    this.#url = url;
    this.#apiKey = apiKey;
  }

  /** `POST /v1/sessions`: opens the checkout of one order. */
  createSession(body: CreateSession): Promise<CreatedSession> {
    return this.#call(created, '/v1/sessions', { method: 'POST', body: JSON.stringify(body) });
  }

  /** `GET /v1/sessions/:id`: what really became of it. */
  session(id: string): Promise<Session> {
    return this.#call(session, `/v1/sessions/${encodeURIComponent(id)}`, { method: 'GET' });
  }

  async #call<Answer>(schema: z.ZodType<Answer>, path: string, init: RequestInit): Promise<Answer> {
    const { status, body } = await this.#fetch(path, init);
    if (status >= 400) {
      const told = problem.safeParse(body);
      if (told.success) throw new RelayRefused(status, told.data);
    }
    const parsed = schema.safeParse(body);
    if (status >= 300 || !parsed.success)
      throw new RelayAnswerUnusable(`${path} answered ${status} in an unknown form`);
    return parsed.data;
  }

  async #fetch(path: string, init: RequestInit): Promise<{ status: number; body: unknown }> {
    try {
      const response = await fetch(`${this.#url()}${path}`, {
        ...init,
        headers: { Authorization: `Bearer ${this.#apiKey}`, 'Content-Type': 'application/json' },
        redirect: 'manual',
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      return { status: response.status, body: parsedJson(await response.text()) };
    } catch (error) {
      throw new RelayUnreachable(`${this.#url()} does not answer`, { cause: error });
    }
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
