import type { SchemaStep } from './schema.ts';

/** The number of orders in one query, and the seconds between two of these queries. */
const TOGETHER = 100;
const SECONDS_APART = 10;

/**
 * Plans a query about each paid order without a planned one: earlier versions stored no record of their payments. The
 * queries are spread over time, so that orders with a payment in progress do not wait for them.
 */
export const earlierPayments: SchemaStep = ({ schema, hasProcedures }) => {
  const moment = hasProcedures ? postgresMoment : sqliteMoment;
  return `
  WITH planned AS (
    SELECT account, order_no, (row_number() OVER (PARTITION BY account ORDER BY order_no) - 1) / ${TOGETHER} * ${SECONDS_APART} AS seconds
      FROM ${schema}orders WHERE hold = 'paid' AND next_query_at IS NULL
  )
  UPDATE ${schema}orders AS o SET next_query_at = ${moment('planned.seconds')}, planned_at = ${moment('0')}
    FROM planned WHERE o.account = planned.account AND o.order_no = planned.order_no;`;
};

/** The moment this many seconds from now (ISO 8601). */
const sqliteMoment = (seconds: string): string => `strftime('%Y-%m-%dT%H:%M:%fZ', 'now', (${seconds}) || ' seconds')`;
const postgresMoment = (seconds: string): string =>
  `to_char((now() + interval '1 second' * ${seconds}) AT TIME ZONE 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
