import type { NotificationBody } from './notification-body.ts';

/** What a receiver of notifications answered, or why there is no answer. */
export type Delivery = { status: number; body: string } | { failure: string };

const MAX_READ_LENGTH = 2000;

/**
 * Sends one notification. It follows no redirect, reads only the beginning of the answer, and waits no longer than
 * `limitMs` for it. Never throws.
 */
export async function deliver(url: string, body: NotificationBody, limitMs: number): Promise<Delivery> {
  try {
    const isGet = body.method === 'GET';
    const response = await fetch(isGet ? `${url}${url.includes('?') ? '&' : '?'}${body.text}` : url, {
      method: body.method,
      ...(isGet ? {} : { headers: { 'Content-Type': body.type }, body: body.text }),
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs),
    });
    return { status: response.status, body: await beginning(response) };
  } catch (error) {
    return { failure: reasonOf(error, limitMs) };
  }
}

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > MAX_READ_LENGTH) return `${text.slice(0, MAX_READ_LENGTH)}…`;
  }
  return text;
}

/** By the error's code alone: its message may name the address, token and all. */
function reasonOf(error: unknown, limitMs: number): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${limitMs} ms`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : 'the connection failed';
}
