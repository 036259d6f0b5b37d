import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { type OperationName, operationNames } from '../../shared/gateway/operations.ts';

/**
 * The relay's counters; see docs/monitoring.md. Every label is from a fixed list, so that no metric contains data of a
 * shopper, a card or an order.
 */
export type Metrics = {
  registry: Registry;
  /** Gives these accounts their own series, up to a hundred accounts. */
  label(accounts: readonly string[]): void;
  /**
   * Counts an answered request, with its duration in seconds. `route` is the pattern of its path; `status` is undefined
   * without an answer.
   */
  httpRequest(method: string, route: string | undefined, status: number | undefined, seconds: number): void;
  /** Counts an answered payment. `outcome` is the meaning of the gateway's answer, `reason` why it is unknown. */
  payment(account: string, operation: OperationName, outcome: string, reason?: string): void;
  /** Counts a payment of the form that begins without a device fingerprint. */
  withoutFingerprint(account: string): void;
  /** Counts a call of the gateway, with its duration in seconds and its result. */
  gatewayCall(operation: OperationName, result: string, seconds: number): void;
  /** Counts records of a query whose dates do not match their attempts. */
  recordClockOffset(records: number): void;
  /** Counts records of a query for orders that the query did not name. */
  foreignRecords(records: number): void;
  /** Counts a change of the machine's clock. */
  clockStepped(): void;
  /** Sets how many seconds the store's clock is ahead of the machine's. */
  clockAhead(seconds: number): void;
  /** Sets the duration, in seconds, of a durable write to the store. */
  storeChecked(seconds: number): void;
  /** Counts a reload of the configuration: whether the new one is in use. */
  reloaded(isUsed: boolean): void;
  /** Counts an attempt that a limit refused. */
  limited(limit: string): void;
  /** Counts an order that was paid a second time. */
  paidTwice(): void;
  /** Counts a transaction_id under which the gateway charged two orders. */
  sharedTransaction(): void;
  /**
   * Counts a case for a person: the search for the outcome of a session or an operation was given up, or a payment
   * needs a decision.
   */
  gaveUp(what: 'session' | 'operation' | 'charge_failed' | `payment_${'held' | 'reversed' | 'unconfirmed'}`): void;
  /** Counts a query about an order that a request caused. */
  orderReconciled(result: 'changed' | 'unchanged' | 'failed'): void;
  /** Counts a request to a notify_url. */
  notification(kind: 'payment' | 'payout'): void;
  /** Counts ended notifications: reported to the shop, already known, or over the limit. */
  notificationReported(result: 'told' | 'known' | 'limited', notifications: number): void;
  /** Counts a try to deliver a webhook. */
  webhook(account: string, result: 'delivered' | 'refused' | 'failed'): void;
  /** Counts requests that are missing in the request log, because the store did not accept them in time. */
  requestsDropped(requests: number): void;
  /** Counts a try to send alerts to a recipient. */
  alert(result: 'sent' | 'failed'): void;
};

/** In seconds: from the read of a status to a payment for which the gateway uses its whole time limit. */
const REQUEST_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'OPTIONS']);

/** The maximum number of accounts with their own series. The others share one. */
const MAX_ACCOUNTS = 100;

/** In seconds: a gateway takes from a few milliseconds to its time limit. */
const LATENCY_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** Every value of the labels; the layers above know them. */
type MetricLabels = {
  outcomes: readonly string[];
  unknownReasons: readonly string[];
  gatewayResults: readonly string[];
  limitNames: readonly string[];
};

/**
 * Creates the counters of one relay. Each exists from the start with zero: otherwise an alert would not see its first
 * increase.
 * @param accounts their ids; those after the first hundred are counted as `other`
 */
export function createMetrics(
  { outcomes, unknownReasons, gatewayResults, limitNames }: MetricLabels,
  accounts: readonly string[] = [],
): Metrics {
  const registry = new Registry();
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> =>
    new Counter({ name: `turnpike_${name}`, help, labelNames, registers: [registry] });
  const labelled = new Set<string>();
  const accountLabel = (account: string): string => (labelled.has(account) ? account : 'other');
  new Gauge({
    name: 'turnpike_build_info',
    help: 'Always 1: the version of the relay and of Node.js in its labels',
    labelNames: ['version', 'node'] as const,
    registers: [registry],
  }).set({ version: manifest.version, node: process.version }, 1);
  const requests = new Histogram({
    name: 'turnpike_http_request_duration_seconds',
    help: 'Time that requests took, from their head to the end of the answer',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: REQUEST_BUCKETS,
    registers: [registry],
  });
  const payments = counter('payments_total', 'Payments by the gateway’s answer', [
    'operation',
    'outcome',
    'reason',
  ] as const);
  const calls = new Histogram({
    name: 'turnpike_gateway_seconds',
    help: 'Time that calls of the gateway took',
    labelNames: ['operation', 'result'] as const,
    buckets: LATENCY_BUCKETS,
    registers: [registry],
  });
  const results = counter('gateway_calls_total', 'Calls of the gateway by result', ['operation', 'result'] as const);
  const offsets = counter('record_clock_offset', 'Records dated outside the times of their attempts', []);
  const foreign = counter('foreign_records_total', 'Records of orders that a query did not name', []);
  const steps = counter('clock_steps_total', 'Changes of the machine’s clock by a second or more', []);
  const gauge = (name: string, help: string): Gauge =>
    new Gauge({ name: `turnpike_${name}`, help, registers: [registry] });
  const ahead = gauge(
    'store_clock_ahead_seconds',
    'Seconds by which the clock of the store is ahead of the clock of this machine',
  );
  const checked = gauge('store_check_seconds', 'Duration of the last write that checked the store');
  const reload = gauge('config_reload_successful', '1 unless the last reload of the configuration was refused');
  const reloadedAt = gauge('config_reloaded_timestamp_seconds', 'Time at which the current configuration was read');
  const setReloaded = (isUsed: boolean): void => {
    reload.set(isUsed ? 1 : 0);
    if (isUsed) reloadedAt.setToCurrentTime();
  };
  setReloaded(true);
  const limited = counter('limited_total', 'Attempts refused by a limit', ['limit'] as const);
  const twice = counter('paid_twice_total', 'Orders that were paid a second time', []);
  const shared = counter('shared_transactions_total', 'Orders paid by a transaction that also paid another order', []);
  const givenUp = counter('gave_up_total', 'Outcomes and payments that the relay left to a person', ['what'] as const);
  const reconciled = counter('orders_reconciled_total', 'Orders reconciled on request by result', ['result'] as const);
  const notifications = counter('notifications_total', 'Notifications of the gateway', ['kind'] as const);
  const told = counter('notifications_told_total', 'Notifications by whether a webhook reports them', [
    'result',
  ] as const);
  const dropped = counter('request_log_dropped_total', 'Requests that are missing from the request log', []);
  const alerts = counter('alerts_total', 'Tries to send alerts to a recipient', ['result'] as const);
  const webhooks = counter('webhooks_total', 'Tries to deliver a webhook', ['result'] as const);
  const accountPayments = counter('account_payments_total', 'Payments of an account by the gateway’s answer', [
    'account',
    'outcome',
  ] as const);
  const noFingerprint = counter(
    'account_payments_without_fingerprint_total',
    'Payments of an account by the form without the fingerprint of the device',
    ['account'] as const,
  );
  const accountWebhooks = counter('account_webhooks_total', 'Tries to deliver a webhook of an account', [
    'account',
    'result',
  ] as const);
  const label = (given: readonly string[]): void => {
    for (const one of given) if (labelled.size < MAX_ACCOUNTS) labelled.add(one);
    for (const account of new Set(given.map(accountLabel))) {
      for (const outcome of outcomes) accountPayments.inc({ account, outcome }, 0);
      noFingerprint.inc({ account }, 0);
      for (const result of ['delivered', 'refused', 'failed'] as const) accountWebhooks.inc({ account, result }, 0);
    }
  };
  label(accounts);
  for (const result of ['sent', 'failed'] as const) alerts.inc({ result }, 0);
  for (const operation of operationNames) {
    calls.zero({ operation, result: 'answer' });
    for (const result of gatewayResults) results.inc({ operation, result }, 0);
  }
  for (const operation of ['direct_payment', 'apm_payment'] as const) {
    for (const outcome of outcomes) if (outcome !== 'unknown') payments.inc({ operation, outcome, reason: '' }, 0);
    for (const reason of unknownReasons) payments.inc({ operation, outcome: 'unknown', reason }, 0);
  }
  for (const limit of limitNames) limited.inc({ limit }, 0);
  for (const what of ['session', 'operation'] as const) givenUp.inc({ what }, 0);
  for (const result of ['changed', 'unchanged', 'failed'] as const) reconciled.inc({ result }, 0);
  for (const kind of ['payment', 'payout'] as const) notifications.inc({ kind }, 0);
  for (const result of ['told', 'known', 'limited'] as const) told.inc({ result }, 0);
  for (const result of ['delivered', 'refused', 'failed'] as const) webhooks.inc({ result }, 0);
  return {
    registry,
    label,
    httpRequest: (method, route = 'none', status, seconds) => {
      const labels = {
        method: METHODS.has(method) ? method : 'other',
        route,
        status: status === undefined ? 'none' : `${Math.trunc(status / 100)}xx`,
      };
      requests.observe(labels, seconds);
    },
    payment: (account, operation, outcome, reason) => {
      payments.inc({ operation, outcome, reason: reason ?? '' });
      accountPayments.inc({ account: accountLabel(account), outcome });
    },
    withoutFingerprint: (account) => noFingerprint.inc({ account: accountLabel(account) }),
    gatewayCall: (operation, result, seconds) => {
      calls.observe({ operation, result }, seconds);
      results.inc({ operation, result });
    },
    recordClockOffset: (records) => offsets.inc(records),
    foreignRecords: (records) => foreign.inc(records),
    clockStepped: () => steps.inc(),
    clockAhead: (seconds) => ahead.set(seconds),
    storeChecked: (seconds) => checked.set(seconds),
    reloaded: setReloaded,
    limited: (limit) => limited.inc({ limit }),
    paidTwice: () => twice.inc(),
    sharedTransaction: () => shared.inc(),
    gaveUp: (what) => givenUp.inc({ what }),
    orderReconciled: (result) => reconciled.inc({ result }),
    notification: (kind) => notifications.inc({ kind }),
    notificationReported: (result, notifications) => told.inc({ result }, notifications),
    requestsDropped: (requests) => dropped.inc(requests),
    alert: (result) => alerts.inc({ result }),
    webhook: (account, result) => {
      webhooks.inc({ result });
      accountWebhooks.inc({ account: accountLabel(account), result });
    },
  };
}
