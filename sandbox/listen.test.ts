import { expect, onTestFinished, test } from 'vitest';
import { parts } from './demo.ts';
import { CannotStart, checkFree, listen, portOf } from './listen.ts';

async function listening() {
  const server = await listen((_request, response) => response.end('here'), 0, parts.gateway);
  onTestFinished(() => server.close());
  return server;
}

test('port 0 picks any free port, and the address names it', async () => {
  const { url, port } = await listening();
  expect(url).toBe(`http://127.0.0.1:${port}`);
  expect(await (await fetch(url)).text()).toBe('here');
});

test('a taken port gives one line that names the variable to change', async () => {
  const { port } = await listening();
  const line = `Port ${port} (shop) is taken. Set PORT_SHOP to another port, or stop what uses it.`;
  await expect(listen(() => {}, port, parts.shop)).rejects.toThrow(new CannotStart(line));
  await expect(checkFree(port, parts.shop)).rejects.toThrow(line);
});

test('a port that was found free can be opened afterwards', async () => {
  const { port, close } = await listening();
  await close();
  await checkFree(port, parts.relay);
  const again = await listen(() => {}, port, parts.relay);
  await again.close();
});

test('closing ends a connection that waits for its answer', async () => {
  const asked = Promise.withResolvers<void>();
  const server = await listen(() => asked.resolve(), 0, parts.gateway);
  const answer = fetch(server.url).catch(() => 'closed');
  await asked.promise;
  await server.close();
  expect(await answer).toBe('closed');
});

test('a part listens where its variable says, or on its own port', () => {
  expect(portOf(parts.shop, {})).toBe(8082);
  expect(portOf(parts.shop, { PORT_SHOP: '0' })).toBe(0);
  expect(portOf(parts.shop, { PORT_SHOP: '9000' })).toBe(9000);
});

test.each(['abc', '70000', '-1', '80a'])('PORT_SHOP=%s is reported in one line', (value) => {
  expect(() => portOf(parts.shop, { PORT_SHOP: value })).toThrow(CannotStart);
  expect(() => portOf(parts.shop, { PORT_SHOP: value })).toThrow(
    `PORT_SHOP must be a port from 0 to 65535, not "${value}".`,
  );
});
