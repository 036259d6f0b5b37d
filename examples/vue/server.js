import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import App from './App.vue';

/** The app as HTML, which the browser's script then brings to life. */
export function render(order) {
  return renderToString(createSSRApp(App, { order }));
}
