import { connect } from 'node:net';
import { tcpServer } from '../http/tcp-server.ts';

/** A node of a plan from `auto_explain`. */
type PlanNode = { 'Relation Name'?: string; 'Actual Loops'?: number; Plans?: PlanNode[] };

/** A statement that was run, with the name that its client gave it, and the tables and partitions that it read, each once. */
export type RunStatement = { name: string | undefined; text: string; read: string[] };

/**
 * A proxy before a PostgreSQL server. It collects the server's reports about each statement that it runs, also in procedures and
 * triggers. `tellPlans` turns these reports on.
 */
export async function recordPlans(address: string) {
  const url = new URL(address);
  const [port, host] = [Number(url.port), url.hostname];
  const run: RunStatement[] = [];
  const names = new Map<string, string>();
  const proxy = await tcpServer((client) => {
    const server = connect(port, host);
    server.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => server.destroy());
    const readClient = messageReader(0, (type, message) => {
      const [name = '', text = ''] = message.split('\0');
      if (type === PARSE) names.set(text, name);
    });
    client.on('data', (bytes: Buffer) => {
      readClient(bytes);
      server.write(bytes);
    });
    const read = messageReader(1, (type, message) => {
      const notice = type === NOTICE ? message.split('\0').find((field) => field.startsWith('M')) : undefined;
      const statement = statementOf(notice?.slice(1) ?? '');
      if (statement) run.push({ name: names.get(statement.text), ...statement });
    });
    server.on('data', (bytes: Buffer) => {
      read(bytes);
      client.write(bytes);
    });
  });
  url.port = String(proxy.port);
  return { address: url.href, run, close: proxy.close };
}

/** The statements by which the server tells clients of a database the plan of every statement. */
export const tellPlans = (database: string): string[] =>
  [
    ...[
      "session_preload_libraries = 'auto_explain'",
      'auto_explain.log_min_duration = 0',
      'auto_explain.log_analyze = on',
    ],
    ...['auto_explain.log_timing = off', 'auto_explain.log_nested_statements = on', 'auto_explain.log_format = json'],
    ...['auto_explain.log_level = notice', 'client_min_messages = notice'],
  ].map((setting) => `ALTER DATABASE ${database} SET ${setting}`);

function statementOf(notice: string): Omit<RunStatement, 'name'> | undefined {
  const [, json] = /^duration: .*? plan:\n(.*)$/s.exec(notice) ?? [];
  if (json === undefined) return undefined;
  const { 'Query Text': text, Plan }: { 'Query Text': string; Plan: PlanNode } = JSON.parse(json);
  return { text, read: [...new Set(readBy(Plan))].toSorted() };
}

/** The tables that a plan read. Nodes that were not executed have no loops. */
function readBy({ 'Relation Name': name, 'Actual Loops': loops = 0, Plans = [], ...node }: PlanNode): string[] {
  const isScan = name !== undefined && loops > 0 && !('Operation' in node);
  return [...(isScan ? [name] : []), ...Plans.flatMap(readBy)];
}

const [PARSE, NOTICE] = ['P', 'N'];

/** Reads the messages of one side. The first message of a client has no type: its `typeLength` is 0. */
function messageReader(typeLength: 0 | 1, report: (type: string, text: string) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let head: number = typeLength;
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= head + 4) {
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      report(rest.toString('latin1', 0, head), rest.toString('utf8', head + 4, length));
      rest = rest.subarray(length);
      head = 1;
    }
  };
}
