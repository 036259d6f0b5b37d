import '../widget/form/styles.css';
import '../widget/form/flow/views/views.css';
import '../widget/form/hosted/page.css';
import { show } from './pages/stand.tsx';
import { pictureOf } from './states.ts';

/**
 * One picture in a document of its own, so that widths and themes are real. The fragment of the address is its name.
 */
function draw(): void {
  const asked = new URLSearchParams(location.hash.slice(1));
  const root = document.getElementById('turnpike');
  if (!root) return;
  document.documentElement.dataset.theme = asked.get('theme') ?? 'auto';
  const picture = pictureOf(asked.get('name') ?? 'empty');
  show(root, { ...picture, locale: asked.get('locale') ?? picture.locale ?? 'en' });
  // Reported after the paint, because Preact renders changes a moment later.
  setTimeout(() => {
    document.body.dataset.shown = `${asked}`;
  });
}

addEventListener('hashchange', draw);
draw();
