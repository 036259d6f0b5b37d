// @vitest-environment jsdom

import { screen, waitFor } from '@testing-library/preact';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import en from '../../../locales/en.json' with { type: 'json' };
import { button, fake, json, pix, problem, start } from '../../testing.tsx';
import { MAX_BYTES } from './file-field.tsx';

const fields = ['person.documents.file_data', 'person.documents.file_type'];
const asking = { methods: [{ ...pix, fields }] };
const input = () => screen.getByLabelText<HTMLInputElement>(en.fields.file);
const picture = new File(['\x89PNG'], 'identity.png', { type: 'image/png' });
const user = userEvent.setup({ applyAccept: false });

describe('a document to upload', () => {
  it('is shown by name and size, and sent with its type', async () => {
    await start(asking);
    await user.upload(input(), picture);
    await screen.findByText(/identity\.png, 1 kB/);
    expect(screen.queryByLabelText(en.fields.file_type)).toBeNull();
    fake.answers = [() => json({ status: 'redirect', redirect_url: 'https://pay.example/x' })];
    await user.click(button());
    await waitFor(() => expect(fake.paid.length).toBe(1));
    const data = btoa(String.fromCharCode(...new Uint8Array(await picture.arrayBuffer())));
    expect(fake.paid[0]?.body.person).toEqual({ documents: { file_data: data, file_type: 'image/png' } });
  });

  it('can be removed, and is then missing', async () => {
    await start(asking);
    await user.upload(input(), picture);
    await user.click(await screen.findByRole('button', { name: en.fields.file_remove }));
    expect(screen.queryByText(/identity/)).toBeNull();
    await user.click(button());
    expect(fake.paid).toEqual([]);
    expect(document.activeElement).toBe(input());
  });

  it.each([
    ['of another kind', new File(['hello'], 'a.txt', { type: 'text/plain' }), en.fields.file_kind],
    [
      'too large',
      new File([new Uint8Array(MAX_BYTES + 1)], 'a.pdf', { type: 'application/pdf' }),
      /^Choose a file of at most 5 MB/,
    ],
    ['empty', new File([], 'a.png', { type: 'image/png' }), en.fields.file_unreadable],
  ])('is refused when it is %s, and the previous file is gone', async (_, file, text) => {
    await start(asking);
    await user.upload(input(), picture);
    await screen.findByText(/identity\.png/);
    await user.upload(input(), file);
    await screen.findByText(text);
    expect(screen.queryByText(/identity\.png/)).toBeNull();
    await user.upload(input(), picture);
    await waitFor(() => expect(screen.queryByText(text)).toBeNull());
  });

  it('that is refused by its type is marked where it was chosen', async () => {
    await start(asking);
    await user.upload(input(), picture);
    await screen.findByText(/identity\.png/);
    fake.answers = [problem(400, 'invalid_request', [{ path: 'person.documents.file_type', message: '' }])];
    await user.click(button());
    await waitFor(() => expect(input().getAttribute('aria-invalid')).toBe('true'));
    expect(document.activeElement).toBe(input());
  });
});
