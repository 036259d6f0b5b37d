// @vitest-environment jsdom
import { render, screen } from '@testing-library/preact';
import { expect, it } from 'vitest';
import en from '../locales/en.json' with { type: 'json' };
import ptBR from '../locales/pt-BR.json' with { type: 'json' };
import { ReloadNotice } from './state.tsx';

it.each([
  [en, 'Reload'],
  [ptBR, 'Recarregar'],
])('asks for a reload in the status that was empty before', (words, name) => {
  const { rerender, unmount } = render(<ReloadNotice words={words} isOutdated={false} />);
  const status = screen.getByRole('status');
  expect(status.textContent).toBe('');
  rerender(<ReloadNotice words={words} isOutdated />);
  expect(screen.getByRole('status')).toBe(status);
  expect(status.textContent).toContain(words.outdated);
  expect(screen.getByRole('button', { name })).toBeTruthy();
  unmount();
});
