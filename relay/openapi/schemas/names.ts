import type { OperationName } from '../../../shared/gateway/operations.ts';

/** `refund_search` as `RefundSearch`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** What the document calls the body of an operation's route. */
export const requestName = (name: OperationName): string => pascal(name);

/** What the document calls the answer to an operation. */
export const answerName = (name: OperationName): string => `${pascal(name)}Answer`;
