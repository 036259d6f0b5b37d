/** A POST as a block's curl command sends it. */
type Posted = { url: string; headers: Record<string, string>; body: string };

/**
 * Reads a curl command of a page as a shell and curl do, as far as our pages need: an address, `-H` and `-d`, or `-d
 * @file` with the text in `files`; `$NAME` in double quotes comes from `env`. Throws for anything else.
 */
export function readCurl(code: string, env: Record<string, string>, files: Record<string, string> = {}): Posted {
  const words = [...code.replace(/\\\n/g, ' ').matchAll(/"((?:\$\([^)]*\)|[^"])*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => (double === undefined ? (single ?? plain ?? '') : filled(double, env)),
  );
  const posted: Posted = { url: '', headers: {}, body: '' };
  if (words.shift() !== 'curl') throw new Error('this is no curl command');
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [, name = '', value = ''] = /^([\w-]+): (.+)$/.exec(words.shift() ?? '') ?? [];
      posted.headers[name.toLowerCase()] = value;
    } else if (word === '-d') {
      const data = words.shift() ?? '';
      posted.body = data.startsWith('@') ? (files[data.slice(1)] ?? '') : data;
    } else if (/^https?:/.test(word)) posted.url = word;
    else throw new Error(`unknown word in a curl command: ${word}`);
  }
  return posted;
}

function filled(text: string, env: Record<string, string>): string {
  return text.replaceAll('$(openssl rand -hex 16)', 'f'.repeat(32)).replace(/\$(\w+)/g, (_name, variable: string) => {
    const value = env[variable];
    if (value === undefined) throw new Error(`$${variable} is not set`);
    return value;
  });
}
