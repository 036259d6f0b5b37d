import { render } from 'preact';
import { version } from '../package.json';
import { beginEarly, firstPaths } from './app/early.ts';
import { chooseLanguage } from './locales/words.ts';
import { Console } from './shell/console.tsx';
import '../shared/pages/base.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/search.css';
import './styles/filters.css';
import './styles/list.css';
import './styles/home.css';
import './styles/order.css';
import './styles/money.css';
import './styles/figures.css';
import './styles/own.css';

async function start(): Promise<void> {
  // Loaded while the texts load: the first row needs both.
  const fetch = beginEarly(window.fetch.bind(window), firstPaths(new URL(window.location.href)));
  const language = await chooseLanguage(navigator.languages);
  document.documentElement.lang = language.locale;
  const browser = { fetch, EventSource: window.EventSource, storage: window.sessionStorage };
  const root = document.getElementById('console');
  if (root) render(<Console browser={browser} language={language} version={version} />, root);
}

// The chunk of a language imports this one: a top-level await here would be a deadlock.
void start();
