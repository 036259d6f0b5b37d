import type { z } from 'zod';
import type { Message } from '../../../shared/gateway/signature.ts';
import { InvalidInput } from '../base/refusals.ts';
import type { FaultName } from '../faults/faults.ts';
import { reasonsOf } from '../messages/reasons.ts';

/** What the gateway knows about a message beside its fields: who sent it, and the faults asked for with it. */
type Circumstances = {
  /** The IP address of the connection. */
  address: string;
  faults: ReadonlySet<FaultName>;
};

/** What the gateway answers: the fields without the signature, and the faults that what was asked for brings with it. */
export type Answer = { fields: Message; faults?: readonly FaultName[] };

/** A message of the right form: who sent it, and what to do once its signature proved right. */
type Accepted = { merchant_id: string; account_id: string; answer: (circumstances: Circumstances) => Answer };

/** Reads one operation's message. Throws InvalidInput when it does not have the form of §2. */
export type Handler = (message: Message) => Accepted;

type Identified = { merchant_id: string; account_id: string };

/** Makes the handler of an operation from its request schema and what it does. */
export function handler<Request extends Identified>(
  schema: z.ZodType<Request>,
  answer: (request: Request, circumstances: Circumstances) => Answer,
): Handler {
  return (message) => {
    const parsed = schema.safeParse(message);
    if (!parsed.success) throw new InvalidInput(reasonsOf(parsed.error));
    const { merchant_id, account_id } = parsed.data;
    return { merchant_id, account_id, answer: (circumstances) => answer(parsed.data, circumstances) };
  };
}
