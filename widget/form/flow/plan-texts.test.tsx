// @vitest-environment jsdom
import { render, screen } from '@testing-library/preact';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Checkout } from '../checkout.ts';
import { bootOf, everything, fake, open, testFlow, testPlatform } from '../testing.tsx';
import { App } from '../view/app.tsx';

const planned = { ...open, revision: 2, installment_options: [{ installments: '3', each: '43.30' }] };

/** A form whose page was rendered before the shop offered installments. */
async function show(answer: () => Response): Promise<string[]> {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    asked.push(new URL(url, location.href).search);
    return answer();
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  fake.view = planned;
  const { messages, ...boot } = bootOf(open);
  const known = Object.entries(messages).filter(([key]) => !/^(installments|terms)/.test(key));
  const checkout = new Checkout({ ...boot, messages: Object.fromEntries(known) }, testPlatform(), everything, {
    parts: undefined,
    flow: testFlow,
  });
  render(<App checkout={checkout} />);
  await checkout.start();
  return asked;
}

it('fetches the texts of installments that the shop offers since', async () => {
  const asked = await show(() => Response.json(bootOf(planned)));
  expect(asked).toEqual(['?locale=en']);
  await screen.findByText('Installments');
});

it('shows an incomplete page if they cannot be loaded', async () => {
  await show(() => new Response(null, { status: 503 }));
  await screen.findByText('This page did not load completely');
});
