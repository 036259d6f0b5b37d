import { apiKey, startTestRelay } from '../relays/relay.ts';
import { approving, type Script, scriptedGateway } from './scripted-gateway.ts';

/** A relay at a gateway with this script, and payments by a shop's server. */
export async function setUp(script: Script = approving, options: { timeoutMs?: number } = {}) {
  const gateway = await scriptedGateway(script);
  const relay = await startTestRelay({ gatewayUrl: gateway.url, timeoutMs: options.timeoutMs ?? 4000 });
  const pay = (body: object, headers: Record<string, string> = {}) => relay.post('/v1/payments', apiKey, body, headers);
  return { gateway, relay, pay };
}
