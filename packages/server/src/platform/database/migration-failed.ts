// Error for a failed database migration: which migration failed, why, and what to do.
import { isObject } from '../../kernel/is-object.ts';
import { findOutage, sqlState } from './database-errors.ts';

/** SQLSTATE classes and codes (PostgreSQL, appendix A), each with a remedy for the operator. */
const REMEDIES: readonly (readonly [prefix: string, remedy: string])[] = [
  ['42501', "Grant the platform's database role the privileges listed in docs/guide/database.md, then start again."],
  ['53100', 'Free disk space on the database server, then start again.'],
  ['53', 'Give the database server more memory or connections, then start again.'],
  ['55P03', 'A different program holds a lock on the table. Stop that program, then start again.'],
  ['40', 'The migration conflicted with a concurrent transaction. Start again.'],
  ['57014', 'The statement was canceled. Remove statement_timeout from the role or server, then start again.'],
  ['25006', 'The database is read-only. Specify the primary server with --database-url, then start again.'],
  ['57', 'Wait until the database server accepts connections, then start again.'],
  ['08', 'Check the connection to the database server, then start again.'],
];

const OTHERWISE =
  'Start the previous version, which still works with this database, and report this message to the project.';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';

  /** `what` names the migration at the start of the sentence. */
  constructor(what: string, cause: unknown) {
    super(
      `${what} failed: ${reasonOf(cause)}.\n` +
        'The failed migration was rolled back; earlier migrations remain applied.\n' +
        remedyFor(cause),
      { cause },
    );
  }
}

/** Returns the server's message, with the details that identify the row or object. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const { code, detail, table } = detailsOf(cause);
  const facts = [code && `SQLSTATE ${code}`, table && `table ${table}`, detail].filter((each) => each !== undefined);
  return facts.length === 0 ? cause.message : `${cause.message} (${facts.join('; ')})`;
}

interface Details {
  readonly code?: string;
  readonly detail?: string;
  readonly table?: string;
}

const detailsOf = (error: unknown): Details => (isObject(error) ? error : {});

function remedyFor(cause: unknown): string {
  const state = sqlState(cause) ?? '';
  const remedy = REMEDIES.find(([prefix]) => state.startsWith(prefix))?.[1];
  if (remedy !== undefined) return remedy;
  return findOutage(cause) ? 'Check the connection to the database server, then start again.' : OTHERWISE;
}
