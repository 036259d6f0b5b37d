import { render } from 'preact';
import { version } from '../package.json';
import { chooseLanguage } from './locales/words.ts';
import { Console } from './shell/console.tsx';
import '../shared/pages/base.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/filters.css';
import './styles/list.css';
import './styles/home.css';
import './styles/order.css';
import './styles/money.css';
import './styles/figures.css';

async function start(): Promise<void> {
  const language = await chooseLanguage(navigator.languages);
  document.documentElement.lang = language.locale;
  const browser = { fetch: window.fetch.bind(window), EventSource: window.EventSource, storage: window.sessionStorage };
  const root = document.getElementById('console');
  if (root) render(<Console browser={browser} language={language} version={version} />, root);
}

// The chunk of a language imports this one: it would never be loaded while this one awaits it at its top.
void start();
