import { createSSRApp } from 'vue';
import { readOrder } from '../shop.js';
import App from './App.vue';

createSSRApp(App, { order: readOrder() }).mount('#app');
