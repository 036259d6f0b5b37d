import { StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { readOrder } from '../shop.js';
import { App } from './App.jsx';

hydrateRoot(
  document.getElementById('app'),
  <StrictMode>
    <App order={readOrder()} />
  </StrictMode>,
);
