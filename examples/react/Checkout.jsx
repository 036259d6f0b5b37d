import { useEffect, useRef } from 'react';

/**
 * The checkout of one session, whose client secret is `session`. The children are shown until the form is there. Count
 * `revision` up when the shop's server has changed the order.
 */
export function Checkout({ session, locale, theme, variables, revision, onReady, onResult, onError, children }) {
  const element = useRef(null);
  useCheckoutEvent(element, 'ready', onReady);
  useCheckoutEvent(element, 'result', onResult);
  useCheckoutEvent(element, 'error', onError);

  // An object cannot be an attribute. The element reads the property also if its script loads later.
  useEffect(() => {
    element.current.variables = variables ?? {};
  }, [variables]);

  // Before its script has loaded there is no form to update: it will load the current order.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another revision is the reason to look again.
  useEffect(() => {
    element.current.update?.();
  }, [revision]);

  return (
    <turnpike-checkout ref={element} session={session} locale={locale} theme={theme}>
      {children}
    </turnpike-checkout>
  );
}

/** Added by hand: React 19 drops `onresult={…}` of a server-rendered element when it hydrates. */
function useCheckoutEvent(element, name, listener) {
  useEffect(() => {
    const checkout = element.current;
    const hear = (event) => listener?.(event.detail);
    checkout.addEventListener(name, hear);
    return () => checkout.removeEventListener(name, hear);
  }, [element, name, listener]);
}
