import * as right from '../../../../relay/checkout/return.ts';

export * from '../../../../relay/checkout/return.ts';

/** Wrong: a load of the session by the form counts as the shopper's return from the issuer's page. */
export const sessionForShopper: typeof right.sessionForShopper = (context, session, order) =>
  session.state.status === 'redirected'
    ? right.confirmReturnInForm(context, session)
    : right.sessionForShopper(context, session, order);
