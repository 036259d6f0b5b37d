import type { ErrorRequestHandler } from 'express';
import { InvalidInput } from '../base/refusals.ts';
import { unread } from './describe.ts';
import type { MessageLog } from './messages.ts';
import { type Lateness, reply } from './reply.ts';

/** A document's file may be among the fields. */
export const MAX_BODY_BYTES = 8 * 1024 * 1024;

type Surroundings = Lateness & { messages: MessageLog; now: () => Date };

/** A body that could not be taken off the wire (too long, broken off, in an unknown coding) is invalid input too. */
export function refuseUnread(surroundings: Surroundings): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    const tooLong = error instanceof Error && 'type' in error && error.type === 'entity.too.large';
    const readable = !(error instanceof Error && 'status' in error && typeof error.status === 'number');
    if (readable) return next(error);
    const { message } = new InvalidInput(
      tooLong ? `the body is over ${MAX_BODY_BYTES} bytes` : 'the body cannot be read',
    );
    const tell = surroundings.messages.add({ at: surroundings.now(), faults: [], ...unread(request.path) });
    reply(response, { kind: 'refused', status: 400, reason: message, faults: new Set() }, tell, surroundings);
  };
}
