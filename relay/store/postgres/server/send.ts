import type { PoolClient } from 'pg';
import type { Row } from '../../row.ts';
import type { Records, Statement, Step, Value } from '../../sql/plan.ts';

export type SendSteps = (client: PoolClient, steps: readonly (string | Step)[]) => Promise<Row[][]>;

/** Sends all steps together and waits for all of them. Rejects with the first error. */
const sendBy =
  (queryOf: (statement: Statement) => Partial<Statement> & Pick<Statement, 'text'>): SendSteps =>
  async (client, steps) => {
    const { stream } = client.connection;
    stream.cork();
    const sent = steps.map((step) => {
      if (typeof step === 'string') return client.query<Row>(step);
      const [statement, ...values] = step;
      return client.query<Row>({ ...queryOf(statement), values: values.map(boundValue) });
    });
    stream.uncork();
    return (await Promise.all(sent)).map((result) => result.rows);
  };

/** Each statement is prepared once per connection. */
export const sendPrepared = sendBy((statement) => statement);
/** Each statement is prepared for a single use, because the next one may get another connection of the server. */
export const sendAnew = sendBy(({ text }) => ({ text }));

function boundValue(value: Value): Exclude<Value, Records> {
  return typeof value === 'object' && value !== null && 'records' in value ? JSON.stringify(value.records) : value;
}
