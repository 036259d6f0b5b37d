'use client';

import { useEffect, useRef, useState } from 'react';

/** The checkout of one session, whose client secret is `session`. The children are shown until the form is there. */
export function Checkout({ session, children }) {
  const element = useRef(null);
  const [text, setText] = useState('');

  // Added by hand: React 19 drops `onresult={…}` of a server-rendered element when it hydrates.
  useEffect(() => {
    const checkout = element.current;
    const listeners = {
      result: ({ detail }) => setText(`${detail.order_no}: ${detail.status}`),
      error: ({ detail }) => setText(detail.message),
    };
    for (const [name, listener] of Object.entries(listeners)) checkout.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of Object.entries(listeners)) checkout.removeEventListener(name, listener);
    };
  }, []);

  return (
    <>
      <turnpike-checkout ref={element} session={session}>
        {children}
      </turnpike-checkout>
      <output>{text}</output>
    </>
  );
}
