// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/preact';
import { beforeEach, describe, expect, it } from 'vitest';
import en from '../../locales/en.json' with { type: 'json' };
import { fake, lost, make, open, pay, results, start } from '../testing.tsx';
import { App } from '../view/app.tsx';

/** Longer than any test waits, so that no planned poll happens. */
beforeEach(() => {
  fake.patience = 0;
});

describe('a shopper who comes back while an outcome is awaited', () => {
  it('sees it at once, and the page gets one event', async () => {
    const checkout = make({ ...open, status: 'unknown' });
    render(<App checkout={checkout} />);
    void checkout.start();
    await screen.findByText(en.form.confirming_title);
    await waitFor(() => expect(results()).toEqual(['unknown']));
    fake.view = { ...open, status: 'approved' };
    await checkout.refresh();
    await checkout.refresh();
    await screen.findByText(en.form.approved_title);
    await checkout.refresh();
    expect(results()).toEqual(['unknown', 'approved']);
  });

  it('may come back again and again: each time causes a poll', async () => {
    const checkout = make({ ...open, status: 'unknown' });
    render(<App checkout={checkout} />);
    void checkout.start();
    await waitFor(() => expect(fake.polls).toBe(1));
    for (const polls of [2, 3, 4]) {
      await waitFor(async () => {
        if (fake.polls < polls) await checkout.refresh();
        expect(fake.polls).toBe(polls);
      });
    }
    expect(screen.getByText(en.form.confirming_title)).toBeTruthy();
  });

  it('never sees a lost request as failed while it may still arrive', async () => {
    fake.patience = 7000;
    const checkout = await start();
    fake.answers = [
      () => {
        fake.patience = 0;
        return lost();
      },
    ];
    await pay();
    await screen.findByText(en.form.confirming_title);
    for (let times = 0; times < 5; times++) {
      const before = fake.polls;
      await checkout.refresh();
      await waitFor(() => expect(fake.polls).toBeGreaterThan(before));
    }
    expect(screen.queryByText(en.form.not_received)).toBeNull();
    expect(screen.getByText(en.form.confirming_title)).toBeTruthy();
  });
});
