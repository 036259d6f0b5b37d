import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import type { OperationName } from '../../../shared/gateway/operations.ts';
import type { Message } from '../../../shared/gateway/signature.ts';
import { ConfigError } from '../../base/errors.ts';

/** The operation and direction of a signed message, and the secret. */
export type SigningRequest = { operation: OperationName; direction: 'request' | 'answer'; secret: string };

/** The function `sign` that a signing module exports. It gets the message without `encryption_data`, and may return a promise. */
type SigningFunction = (message: Message, request: SigningRequest) => unknown;

const moduleShape = z.object({ sign: z.custom<SigningFunction>((value) => typeof value === 'function') });

/**
 * Loads the operator's signing module from an absolute path. Throws ConfigError, which names the problem but never quotes the module's
 * errors.
 */
export async function loadSigningModule(path: string): Promise<SigningFunction> {
  const refuse = (message: string): never => {
    throw new ConfigError([`gateway.profile.signing.path: ${path} ${message}`]);
  };
  let loaded: unknown;
  try {
    loaded = await import(/* @vite-ignore */ pathToFileURL(path).href);
  } catch (error) {
    return refuse(`cannot be loaded (${kindOf(error)}); run it with node to see why`);
  }
  const module = moduleShape.safeParse(loaded);
  return module.success ? module.data.sign : refuse('does not export a function called sign');
}

/** The signing module returned no signature. The message never quotes the module. */
export class SigningError extends Error {
  override readonly name = 'SigningError';
  readonly code: 'threw' | 'too_late' | 'no_text';

  constructor(code: SigningError['code']) {
    super(`the signing module gave no signature: ${code}`);
    this.code = code;
  }
}

/** Asks a signing module for a signature, for `limitMs` at most. Throws SigningError. */
export async function signByModule(
  sign: SigningFunction,
  message: Message,
  request: SigningRequest,
  limitMs: number,
): Promise<string> {
  // A copy: the module must not change the message that is sent.
  const { encryption_data: _, ...signed } = structuredClone(message);
  let timer: ReturnType<typeof setTimeout> | undefined;
  // The CLI runs on Node 20, too, which has no Promise.withResolvers.
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new SigningError('too_late')), limitMs);
  });
  try {
    const signature = await Promise.race([answerOf(sign, signed, { ...request }).catch(threw), late]);
    if (typeof signature !== 'string' || signature === '') throw new SigningError('no_text');
    return signature;
  } finally {
    clearTimeout(timer);
  }
}

/** A module may throw at once or reject later. */
async function answerOf(sign: SigningFunction, message: Message, request: SigningRequest): Promise<unknown> {
  return sign(message, request);
}

function threw(): never {
  throw new SigningError('threw');
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it threw';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
