import * as right from '../../../../relay/context/context.ts';

export * from '../../../../relay/context/context.ts';

/** Wrong: only payments of shoppers are paused. */
export const checkNotPaused: typeof right.checkNotPaused = (context, code) => {
  if (code === 'gateway_unreachable') right.checkNotPaused(context, code);
};
