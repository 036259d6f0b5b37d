import * as right from '../../../../relay/checkout/return.ts';

export * from '../../../../relay/checkout/return.ts';

/** Wrong: a shopper whose form asks for the session counts as back from the issuer's page. */
export const sessionForShopper: typeof right.sessionForShopper = (context, session, order) =>
  session.state.status === 'redirected'
    ? right.confirmReturnInForm(context, session)
    : right.sessionForShopper(context, session, order);
