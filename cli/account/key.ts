import { type Client, type KeyAnswer, RelayRefused } from '../../client/index.ts';
import { CliError, EXIT } from '../base/errors.ts';

/** The name, the account and the scopes of the API key. Throws CliError if the relay is too old, and rejects as the client does. */
export async function readKey(client: Pick<Client, 'key'>): Promise<KeyAnswer> {
  try {
    return await client.key.get();
  } catch (error) {
    if (!(error instanceof RelayRefused) || error.code !== 'not_found') throw error;
    throw new CliError('relay_too_old', 'This relay is older and has no GET /v1/key.', {
      exitCode: EXIT.refused,
      hint: 'Update the relay. The other commands work with --url and --key-file, or TURNPIKE_URL and TURNPIKE_API_KEY.',
    });
  }
}
