import express from 'express';
import { describe, expect, it, onTestFinished } from 'vitest';
import { serve } from '../../test/support/http/http-server.ts';
import { testContext } from '../../test/support/stores/context.ts';
import { StoreError } from '../base/errors.ts';
import { serveMonitoring } from './monitoring-routes.ts';

async function setUp(check?: () => Promise<void>) {
  const context = await testContext();
  const state = { isDraining: false };
  const store = { ...context.store, ...(check ? { check } : {}) };
  const server = await serve(express().use(serveMonitoring({ ...context, store }, () => state.isDraining)));
  onTestFinished(async () => {
    await server.close();
    await context.store.close();
  });
  const ask = async (path: string) => (await fetch(`${server.url}${path}`)).status;
  return { state, ask };
}

describe('/readyz', () => {
  it('is green while the store can be read and written', async () => {
    const { ask } = await setUp();
    expect(await ask('/readyz')).toBe(200);
  });

  it('is red when the relay is about to stop', async () => {
    const { state, ask } = await setUp();
    state.isDraining = true;
    expect(await ask('/readyz')).toBe(503);
    expect(await ask('/healthz')).toBe(200);
  });

  it('is red while the store fails, and green afterwards', async () => {
    let isBroken = true;
    const { ask } = await setUp(async () => {
      if (isBroken) throw new StoreError('the disk is full');
    });
    expect(await ask('/readyz')).toBe(503);
    expect(await ask('/healthz')).toBe(200);
    isBroken = false;
    expect(await ask('/readyz')).toBe(200);
  });

  it('is red within its time when the store hangs', async () => {
    const { ask } = await setUp(() => new Promise(() => undefined));
    expect(await ask('/readyz')).toBe(503);
  });
});
