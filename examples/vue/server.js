import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import App from './App.vue';

/** The app as HTML, which the browser's script then hydrates. */
export function render(order) {
  return renderToString(createSSRApp(App, { order }));
}
