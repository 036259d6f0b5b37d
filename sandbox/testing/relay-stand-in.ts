import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { z } from 'zod';

/**
 * Sends the messages of the relay to its parent, and does nothing else. `GET /die` ends it; with STAND_IN_FAILS it ends
 * at once. Its stop takes STAND_IN_STOPS_MS.
 */
const { listen } = z
  .object({ listen: z.object({ host: z.string(), port: z.number() }) })
  .parse(JSON.parse(readFileSync(process.env.TURNPIKE_CONFIG ?? '', 'utf8')));

if (process.env.STAND_IN_FAILS) {
  console.error('the stand-in cannot start');
  process.exit(3);
}

const server = createServer((request, response) => {
  if (request.url === '/die') process.exit(7);
  response.end('relay');
});
server.listen(listen.port, listen.host, () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : listen.port;
  console.log(JSON.stringify({ msg: 'the stand-in listens' }));
  process.send?.({ type: 'listening', url: `http://${listen.host}:${port}` });
});
process.once('SIGTERM', () => {
  setTimeout(
    () => {
      console.log(JSON.stringify({ msg: 'the stand-in stops' }));
      process.exit(0);
    },
    Number(process.env.STAND_IN_STOPS_MS ?? 0),
  );
});
process.once('disconnect', () => process.exit(0));
