import { render } from 'preact';
import { chooseLanguage } from './locales/choose.ts';
import { Console } from './shell/console.tsx';
import './styles/base.css';
import './styles/shell.css';
import './styles/list.css';
import './styles/home.css';
import './styles/order.css';
import './styles/money.css';
import './styles/figures.css';

const language = await chooseLanguage(navigator.languages);
document.documentElement.lang = language.locale;
const browser = { fetch: window.fetch.bind(window), EventSource: window.EventSource, storage: window.sessionStorage };
const root = document.getElementById('console');
if (root) render(<Console browser={browser} language={language} />, root);
