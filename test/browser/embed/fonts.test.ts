import { expect, it } from 'vitest';
import { sharedChromium } from '../../support/browsers/chromium.ts';
import { startHost, strictPolicy } from '../../support/browsers/host-page.ts';
import { formIn, openPage } from '../../support/relays/stack.ts';

it('a framed form loads the shop’s fonts; the fallback has their size', async () => {
  const { relay, put, loader } = await startHost();
  const { secret } = await relay.session();
  const { page, complaints } = await openPage(await sharedChromium());
  const src = 'https://shop.example/inter.woff2';
  const asked = page.waitForRequest(src);
  await page.route(src, (route) => route.abort());
  const script = `
    Turnpike.checkout({
      session: '${secret}',
      appearance: {
        variables: { '--turnpike-font': '"Inter", "Inter fallback"' },
        fonts: [{ family: 'Inter', src: '${src}', sizeAdjust: '200%' }],
      },
    }).mount('#pay');`;
  await page.goto(
    put({ csp: strictPolicy(relay.url), head: loader.replace(' async', ''), body: '<div id="pay"></div>' }, script),
  );
  await asked;
  const heading = formIn(page).locator('h1');
  await heading.waitFor();
  const widths = await heading.evaluate((element) => {
    const width = (family: string): number => {
      const text = Object.assign(document.createElement('span'), { textContent: 'Pay the shop' });
      text.style.cssText = `position:absolute;font:16px ${family}`;
      element.append(text);
      return text.getBoundingClientRect().width;
    };
    return { plain: width('"Liberation Sans"'), fallback: width('"Inter fallback"') };
  });
  expect(widths.fallback / widths.plain).toBeCloseTo(2, 1);
  expect(complaints.filter((text) => !text.includes('ERR_FAILED'))).toEqual([]);
});
