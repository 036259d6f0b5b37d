import { expect, it } from 'vitest';
import { testCards } from '../../../shared/card-data/test-cards.ts';
import { signIn } from '../../support/operators/console.ts';
import { type PersonByKeyboard as Person, personByKeyboard } from '../../support/operators/console-by-keyboard.ts';
import { dialog, fact } from '../../support/operators/console-stack.ts';
import { tabTo, waitForFocus } from '../../support/operators/keyboard.ts';
import { orderNos, startDay } from '../../support/operators/two-people.ts';

type Day = Awaited<ReturnType<typeof startDay>>;

const rows = ({ page }: Person) => page.locator('tbody .row-link');
const shown = (person: Person) => expect.poll(() => rows(person).allInnerTexts());

it('two people work through a day with the keyboard alone', async () => {
  const day = await startDay();
  const other = await signIn(day.relay);
  const ada = await personByKeyboard(day, 'Ada');
  await answerShoppers(ada);
  await moveMoney(day, ada);
  await findOrders(ada);
  await lookAfter(ada);
  await decideTogether(day, ada);
  await tidyUp(ada, other);
});

async function answerShoppers(ada: Person): Promise<void> {
  const { page } = ada;
  await ada.task('skip to the content', async () => {
    await ada.keys('Tab');
    await page.locator('.skip:focus').waitFor();
    await ada.keys('Enter');
    await page.locator('main:focus').waitFor();
  });
  await ada.task('read what needs a person', async () => {
    for (const kind of ['Reversed by the gateway', 'Held for review', 'Webhooks given up']) {
      await page.getByRole('heading', { name: kind }).waitFor();
    }
    await ada.toRow(orderNos.held);
  });
  await ada.task('go to the orders', async () => {
    await ada.goToPage('Orders');
    await rows(ada).nth(12).waitFor();
    await page.locator('main:focus').waitFor();
  });
  await ada.task('search for the end of an order number', async () => {
    await ada.search('1001');
    await shown(ada).toEqual([orderNos.part]);
  });
  await ada.task('open the hit', async () => {
    await ada.keys('j', 'Enter');
    await page.waitForURL(/\/orders\/PART-1001$/);
    await ada.isAt(orderNos.part);
  });
  await ada.task('leave a dialog by Escape', async () => {
    await ada.openDialog('Refund');
    await ada.keys('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await waitForFocus(page.getByRole('button', { name: 'Refund' }));
  });
  await ada.task('refund a part with a reason', async () => {
    await ada.openDialog('Refund');
    await ada.write('20');
    await ada.fill('Reason (optional)', 'broken cup', dialog(page));
    await ada.send('Refunded.');
    await waitForFocus(page.getByRole('button', { name: 'Refund' }));
  });
  await ada.task('read what is refundable now', async () => {
    await expect.poll(() => fact(page, 'Refundable').innerText()).toBe('R$109.90');
    await page.locator('.timeline').getByText('broken cup').waitFor();
  });
  await ada.task('add a note', async () => {
    await tabTo(page, page.locator('summary', { hasText: 'Add a note' }));
    await ada.keys('Enter');
    await ada.fill('What should others know about this order?', 'Another cup is on its way.');
    await ada.press('button', 'Add a note');
    await page.locator('.timeline li', { hasText: 'Another cup is on its way.' }).waitFor();
  });
  await ada.task('go back to the row', async () => {
    await ada.back();
    await page.locator('.row-link:focus', { hasText: orderNos.part }).waitFor();
  });
}

async function moveMoney(day: Day, ada: Person): Promise<void> {
  const { page } = ada;
  await ada.task('filter the orders by status', async () => {
    await ada.goToPage('Orders');
    await rows(ada).nth(12).waitFor();
    await ada.choose('Status', 'Partially refunded');
    await shown(ada).toEqual([orderNos.part]);
  });
  await ada.task('clear the filter', async () => {
    await ada.press('button', /^Remove the filter/);
    await rows(ada).nth(12).waitFor();
  });
  await ada.task('show the oldest first', async () => {
    await ada.choose('Sort', 'Oldest first');
    await expect.poll(() => rows(ada).first().innerText()).toBe(orderNos.webhook);
  });
  await ada.task('move by j and k, and open by Enter', async () => {
    // Letters typed while a select has the focus choose its options.
    await ada.keys('Tab', 'j', 'j', 'j', 'k');
    await page.locator('.row-link:focus', { hasText: orderNos.capture }).waitFor();
    await ada.keys('Enter');
    await ada.isAt(orderNos.capture);
  });
  await ada.task('capture a part of an authorised payment', async () => {
    await ada.openDialog('Capture');
    await ada.write('25');
    await ada.send('Captured.');
    await expect.poll(() => fact(page, 'Captured').innerText()).toBe('R$25.00');
  });
  await ada.task('capture the rest', async () => {
    await ada.openDialog('Capture');
    await ada.send('Captured.');
    await expect.poll(() => fact(page, 'Captured').innerText()).toBe('R$60.00');
    await page.getByRole('button', { name: 'Capture' }).waitFor({ state: 'detached' });
  });
  await ada.task('accept a held payment by review', async () => {
    await ada.openOrder(orderNos.held);
    await ada.openDialog('Review');
    await ada.write('accept');
    await ada.send('Review sent.');
    await page.locator('.timeline strong', { hasText: 'Review' }).waitFor();
  });
  await ada.task('ask the gateway now', async () => {
    await ada.press('button', 'Ask the gateway now');
    await page.locator('.heading').getByText('Paid', { exact: true }).waitFor();
  });
  await ada.task('cancel a payment', async () => {
    await ada.openOrder(orderNos.cancel);
    await ada.press('button', 'Cancel payment');
    await ada.press('button', 'Cancel payment', dialog(page));
    await ada.close('Cancelled.');
    await page.getByRole('button', { name: 'Cancel payment' }).waitFor({ state: 'detached' });
  });
  await ada.task('refund two orders in a batch', async () => {
    await ada.goToPage('Orders');
    for (const orderNo of [orderNos.second, orderNos.first]) {
      await ada.toRow(orderNo);
      await ada.keys('x');
      await page.getByRole('checkbox', { name: orderNo }).and(page.locator(':checked')).waitFor();
    }
    await ada.press('button', 'Refund', page.getByRole('region', { name: 'Selection' }));
    await dialog(page).getByText('Refund R$30.00: all that is left of 2 payments').waitFor();
    await ada.press('button', 'Refund 2 payments', dialog(page));
    await ada.close('2 done');
    await page.getByText('0 orders selected').waitFor();
    expect(await day.order(orderNos.first)).toMatchObject({ refunded: '10.00' });
  });
  await ada.task('download the list', async () => {
    const download = page.waitForEvent('download');
    await ada.press('button', 'Download CSV');
    expect((await download).suggestedFilename()).toMatch(/^orders-demo-/);
  });
}

async function findOrders(ada: Person): Promise<void> {
  const { page } = ada;
  for (const [what, text, orderNo] of [
    ['an e-mail address', 'mia@shopper.example', orderNos.part],
    ['an amount as it was pasted', 'R$17,00', orderNos.declined],
    ['the last four digits of a card', testCards.declined.number.slice(-4), orderNos.declined],
  ] as const) {
    await ada.task(`search for ${what}`, async () => {
      await ada.search(text);
      await shown(ada).toEqual([orderNo]);
    });
  }
  await ada.task('show the link of an open checkout', async () => {
    await ada.openOrder(orderNos.checkout);
    await ada.press('button', 'Show the link');
    await waitForFocus(page.getByLabel('Link for the shopper'));
    expect(await page.evaluate(() => getSelection()?.toString())).toMatch(/^http/);
  });
  await ada.task('close the checkout', async () => {
    await ada.press('button', 'Close the checkout');
    await page.getByText('can no longer pay').waitFor();
    await ada.press('button', 'Close the checkout');
    await page.getByText('The checkout is open until').waitFor({ state: 'detached' });
  });
}

async function lookAfter(ada: Person): Promise<void> {
  const { page } = ada;
  await ada.task('refund an order, and learn that it is not known', async () => {
    await ada.openOrder(orderNos.unknown);
    await ada.openDialog('Refund');
    await ada.keys('Enter');
    await ada.press('link', 'Open the operation', dialog(page));
    await ada.isAt('Refund');
  });
  await ada.task('settle the refund by hand', async () => {
    await ada.press('button', 'Settle by hand');
    await ada.goTo('radio', 'It was done', dialog(page));
    await ada.keys('Space');
    await ada.fill('Note', 'seen in the portal', dialog(page));
    await ada.press('button', 'Settle', dialog(page));
    await ada.close('Settled.');
    await page.getByText('seen in the portal').waitFor();
  });
  await ada.task('open a failed webhook', async () => {
    await ada.goToPage('Webhooks');
    await ada.choose('Status', 'Failed');
    await expect.poll(() => rows(ada).count()).toBe(1);
    await ada.keys('Tab', 'Tab');
    await ada.toRow('session.approved');
    await ada.keys('Enter');
    await page.getByText('Last try: HTTP 410').waitFor();
  });
  await ada.task('send the webhook again', async () => {
    await ada.press('button', 'Send again');
    await page.locator('.heading').getByText('Delivered').waitFor();
  });
  await ada.task('pay out', async () => {
    await ada.goToPage('Payouts');
    await ada.openDialog('Pay out');
    await ada.write('90');
    await ada.fill('Currency', 'BRL', dialog(page));
    await ada.fill(/^Company name/, 'Example Tea Gardens Ltd', dialog(page));
    await ada.fill(/^Account number/, '000123456', dialog(page));
    await ada.send('Paid out.');
  });
  await ada.task('open the operation of the payout', async () => {
    await ada.toRow('Example Tea Gardens Ltd');
    await ada.keys('Enter');
    await page.locator('.items').getByText('R$90.00').waitFor();
  });
  await ada.task('end a subscription', async () => {
    await ada.goToPage('Subscriptions');
    await ada.press('button', /^End/);
    await dialog(page).locator('.sentence').waitFor();
    await ada.press('button', 'End', dialog(page));
    await ada.close('The subscription is ended.');
    await page.locator('tbody').getByText('Ended').waitFor();
  });
  await ada.task('open a reversed payment among the disputes', async () => {
    await ada.goToPage('Disputes');
    await shown(ada).toEqual([orderNos.disputed]);
    await ada.keys('j', 'Enter');
    await page.getByText('The money is gone').waitFor();
  });
  await ada.task('change the span of the figures', async () => {
    await ada.goToPage('Figures');
    await ada.press('link', '30 days');
    await page.waitForURL(/[?&]days=30/);
    await page.locator('.great').first().waitFor();
  });
  await ada.task('read the audit log', async () => {
    await ada.goToPage('Audit');
    for (const action of ['Noted on an order', 'Settled an operation', 'Closed a checkout', 'Ended a subscription']) {
      await page.getByRole('cell', { name: action }).waitFor();
    }
  });
}

async function decideTogether(day: Day, ada: Person): Promise<void> {
  const eve = await personByKeyboard(day, 'Eve');
  const { page } = eve;
  const refundsOf = async (orderNo: string) => (await day.order(orderNo)).refunded;
  await eve.task('see that a refund is above one’s limit', async () => {
    await eve.openOrder(orderNos.larger);
    await eve.openDialog('Refund');
    await eve.write('600');
    await dialog(page).getByText('Your limit is R$500.00.').waitFor();
    await eve.keys('Enter');
    await dialog(page).getByText('Your limit is R$500.00.').waitFor();
    await eve.keys('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(new Set(day.keys(/\/v1\/refund$/)).size).toBe(4);
  });
  const ask = async (amount: string): Promise<void> => {
    await eve.openDialog('Refund');
    await eve.write(amount);
    await eve.fill(/^Type /, amount, dialog(page));
    await eve.send('Waits for another person');
  };
  await eve.task('ask for a large refund', async () => {
    await eve.openOrder(orderNos.large);
    await ask('150');
    expect(await refundsOf(orderNos.large)).toBe('0.00');
  });
  await ada.task('see what waits for approval', async () => {
    await ada.goToPage(/^Needs you/);
    // The waiting cases are read again once a minute and as shoppers pay.
    await day.pay('NEXT-97', '5.00');
    await ada.page.getByRole('heading', { name: 'Waiting for approval' }).waitFor();
    await ada.toRow(orderNos.large);
    await ada.keys('Enter');
    await ada.isAt(orderNos.large);
  });
  await ada.task('approve it', async () => {
    await ada.press('button', 'Approve');
    await dialog(ada.page).getByText('R$150.00').waitFor();
    await ada.press('button', 'Approve', dialog(ada.page));
    await ada.close('Refunded.');
    expect(await refundsOf(orderNos.large)).toBe('150.00');
  });
  await eve.task('see the refund in the open page', async () => {
    await expect.poll(() => fact(page, 'Refunded').innerText()).toBe('R$150.00');
    await expect.poll(() => page.locator('.approvals').count()).toBe(0);
  });
  await eve.task('ask for another one', async () => {
    await eve.openOrder(orderNos.larger);
    await ask('300');
  });
  await ada.task('decline it with a note', async () => {
    await ada.openOrder(orderNos.larger);
    await ada.press('button', 'Decline');
    await ada.fill('Note', 'Not our fault', dialog(ada.page));
    await ada.press('button', 'Decline', dialog(ada.page));
    await ada.close('Declined. Nothing was sent.');
  });
  await eve.task('read why it was declined', async () => {
    await page.getByText(/Declined by .Ada.: .Not our fault/).waitFor();
    expect(await refundsOf(orderNos.larger)).toBe('0.00');
  });
}

async function tidyUp(ada: Person, other: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  const { page } = ada;
  await ada.task('end one’s other sign-in', async () => {
    await ada.press('link', /Ada$/);
    await ada.press('button', /^End the sign-in of/);
    await page.getByText('Ended.', { exact: true }).waitFor();
    expect(await other.get('/console/api/me')).toMatchObject({ status: 401 });
  });
  await ada.task('change one’s password', async () => {
    await ada.press('button', 'Change password');
    await page.locator('input[name=password]:focus').waitFor();
    for (const text of ['ada’s', 'correct horse 7', 'correct horse 7']) {
      await ada.write(text);
      await ada.keys('Tab');
    }
    await ada.press('button', 'Change password');
    await page.getByText('Password changed.').waitFor();
  });
  await ada.task('sign out', async () => {
    await ada.press('button', 'Sign out');
    await page.locator('input[name=name]:focus').waitFor();
  });
}
