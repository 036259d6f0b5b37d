import type { Answered } from '../../facets/keys.ts';
import type { NoteStore, OrderNote } from '../../facets/notes.ts';
import type { StoredAuditEntry } from '../../facets/people.ts';
import type { Row } from '../../row.ts';
import { type Plan, run, type Sql, statementsOf } from '../plan.ts';

/** The functions that add an entry of the audit log and store an answer, within a transaction. */
type NoteParts = { addAudit(entry: StoredAuditEntry): Plan<void>; answer(answered: Answered): Plan<void> };

/** The notes of people on orders. */
export function notes(db: Sql, { addAudit, answer }: NoteParts): NoteStore {
  const { table, each, records } = db.dialect;
  const own = table('order_notes');
  const columns = 'account, order_no, id, at, author, note';
  const sql = statementsOf(db.statement, {
    addNote: `INSERT INTO ${own} (${columns}) VALUES ($1, $2, $3, $4, $5, $6)`,
    notesOf: `SELECT ${columns} FROM ${own} WHERE account = $1 AND order_no = $2 ORDER BY id DESC LIMIT $3`,
    newestNotes: `SELECT n.account, n.order_no, n.id, n.at, n.author, n.note
      FROM ${records('$1', 'given', 'account', 'order_no')}
      ${each(
        'order_notes',
        'n',
        `n.account = given.account AND n.order_no = given.order_no AND n.id = (SELECT max(id)
        FROM ${own} AS other WHERE other.account = given.account AND other.order_no = given.order_no)`,
      )}`,
  });
  return {
    add: ({ account, order_no, id, at, by, note }, audit, answered) =>
      db.write(function* () {
        yield* run([sql.addNote, account, order_no, id, at, by, note]);
        yield* addAudit(audit);
        if (answered) yield* answer(answered);
      }),
    list: async ({ account, order_no }, limit) => (await db.read(sql.notesOf, account, order_no, limit)).map(noteFrom),
    newest: async (account, orderNos) => {
      const keys = [...new Set(orderNos)].map((order_no) => ({ account, order_no }));
      return keys.length === 0 ? [] : (await db.read(sql.newestNotes, { records: keys })).map(noteFrom);
    },
  };
}

function noteFrom({ account, order_no, id, at, author, note }: Row): OrderNote {
  return {
    ...{ account: String(account), order_no: String(order_no), id: String(id) },
    ...{ at: String(at), by: String(author), note: String(note) },
  };
}
