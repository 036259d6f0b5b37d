import * as right from '../../../../relay/checkout/come-back.ts';

export * from '../../../../relay/checkout/come-back.ts';

/** Wrong: a shopper whose form asks for the session counts as back from the issuer's page. */
export const sessionForShopper: typeof right.sessionForShopper = (context, session, order) =>
  session.state.status === 'redirected'
    ? right.comeBackInForm(context, session)
    : right.sessionForShopper(context, session, order);
