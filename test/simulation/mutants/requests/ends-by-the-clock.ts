import type * as right from '../../../../relay/context/context.ts';

export * from '../../../../relay/context/context.ts';

/** Wrong: a clock that is set ahead ends terms early. */
export const nowWithoutJumps: typeof right.nowWithoutJumps = ({ now }) => now();
