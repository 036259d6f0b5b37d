import page from './page.html?raw';

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The page, with the order's values in their places. */
export function render(order) {
  return page.replace(/\{\{(\w+)\}\}/g, (_place, name) => order[name].replace(/[&<>"]/g, (sign) => entities[sign]));
}
