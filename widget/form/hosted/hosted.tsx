import { hydrate } from 'preact';
import type { CheckoutModel, HostedModule } from '../model.ts';
import { Summary } from './summary.tsx';
import { WayOn } from './way-on.tsx';

/** What a page of its own has around the form, as one module to load. */
export const hosted: HostedModule = {
  WayOn,
  start(checkout) {
    const root = document.getElementById('summary');
    if (!root) return;
    const order = root.querySelector('details');
    // Beside the form there is room for it. Style sheets can open it in new browsers alone.
    if (order && matchMedia('(min-width: 900px)').matches) order.open = true;
    hydrate(<Summary checkout={checkout} />, root);
    followOrder(checkout);
  },
};

/** Shows what the order is made of once the shop has changed it; while that cannot be had, the amount alone. */
function followOrder(checkout: CheckoutModel): void {
  let { revision } = checkout.boot.view;
  checkout.watch(async () => {
    const changed = checkout.state.view.revision;
    if (changed <= revision) return;
    revision = changed;
    const { fetchBoot } = await import('../texts.ts');
    const boot = await fetchBoot(location, new URLSearchParams(location.search));
    const { hosted } = checkout.boot;
    const nothing = { ...checkout.boot, ...(hosted && { hosted: { ...hosted, summary: { items: [], sums: [] } } }) };
    if (changed === revision) checkout.setLocale(boot && boot.view.revision >= changed ? boot : nothing);
  });
}
