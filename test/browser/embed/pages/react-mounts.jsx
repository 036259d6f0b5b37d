import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Checkout } from '../../../../examples/react/Checkout.jsx';

/** Puts the React example's component into the page; answers with how to take it out again. */
window.mountByReact = (session, ready) => {
  const place = document.querySelector('#place');
  const root = createRoot(place);
  root.render(
    <StrictMode>
      <Checkout session={session} onReady={ready} onResult={() => {}} variables={{ '--turnpike-radius': '0' }}>
        <a href="#fallback">Pay here</a>
      </Checkout>
    </StrictMode>,
  );
  return () => root.unmount();
};
