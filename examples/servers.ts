import type { Beside } from '../sandbox/stack.ts';
import { createShop } from './express/shop.ts';
import { createWebview } from './webview/server.ts';

/** The examples that are servers of their own, and need no building. */
export const servers = {
  express: { createApp: createShop, hearsWebhooks: true },
  webview: { createApp: createWebview },
} satisfies Record<string, Omit<Beside, 'part' | 'title'>>;
