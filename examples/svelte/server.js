import { render as renderSvelte } from 'svelte/server';
import App from './App.svelte';

/** The app as HTML, which the browser's script then hydrates. */
export function render(order) {
  return renderSvelte(App, { props: { order } }).body;
}
