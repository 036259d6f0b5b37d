import { hydrate } from 'svelte';
import { readOrder } from '../shop.js';
import App from './App.svelte';

hydrate(App, { target: document.getElementById('app'), props: { order: readOrder() } });
