import { createServer, type Socket } from 'node:net';
import { processIo, type Sink } from '../../../cli/base/io.ts';
import { runCli } from '../../../cli/program.ts';

/**
 * Runs the commands of a shell in this one process, in its folder. Sends its parent the port at which it listens. A
 * connection sends the number of arguments, these, and the environment, each ended by NUL; it receives the exit code,
 * the results and the messages. Ends with its parent.
 */
const server = createServer((socket) => {
  let asked = '';
  socket.setEncoding('utf8').on('data', (text) => {
    asked += text;
    // An empty text ends the environment.
    if (asked.endsWith('\0\0')) void answer(socket, asked.slice(0, -2).split('\0'));
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.once('disconnect', () => process.exit());

async function answer(socket: Socket, [count, ...texts]: string[]): Promise<void> {
  const args = texts.slice(0, Number(count));
  const env = Object.fromEntries(texts.slice(Number(count)).map((text) => text.split(/=(.*)/s, 2)));
  const [out, err] = [sink(), sink()];
  const exitCode = await runCli(args, { ...processIo(), env, out, err, askLine: undefined, askSecret: undefined });
  socket.end([exitCode, out.text(), err.text(), ''].join('\0'));
}

function sink(): Sink & { text(): string } {
  let all = '';
  return {
    write: (text) => {
      all += text;
    },
    drained: async () => undefined,
    isTerminal: false,
    columns: 80,
    text: () => all,
  };
}
