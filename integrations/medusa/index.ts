import { ModuleProvider, Modules } from '@medusajs/framework/utils';
import { TurnpikeProvider } from './provider.ts';

export type { TurnpikeOptions } from './options.ts';
export { TurnpikeProvider };

/** The module that Medusa loads. Its payment provider is named `pp_turnpike_` and the id in medusa-config.ts. */
const provider: ReturnType<typeof ModuleProvider> = ModuleProvider(Modules.PAYMENT, { services: [TurnpikeProvider] });
export default provider;
