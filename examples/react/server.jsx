import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './App.jsx';

/** The app as HTML, which the browser's script then hydrates. */
export function render(order) {
  return renderToString(
    <StrictMode>
      <App order={order} />
    </StrictMode>,
  );
}
