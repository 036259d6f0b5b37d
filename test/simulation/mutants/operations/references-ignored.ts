import * as right from '../../../../relay/operations/run-operation.ts';

export * from '../../../../relay/operations/run-operation.ts';

/** Wrong: used references are not checked. */
export const runOperation: typeof right.runOperation = (context, name, { references: _, ...body }, use) =>
  right.runOperation(context, name, body, use);
