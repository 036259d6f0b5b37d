import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { App } from './App.jsx';

/** The app as HTML, which the browser's script then brings to life. */
export function render(order) {
  return renderToString(
    <StrictMode>
      <App order={order} />
    </StrictMode>,
  );
}
