// A migration that did not go through: which, why, and what to do about it.
import { isObject } from '../../kernel/is-object.ts';
import { findOutage, sqlState } from './database-errors.ts';

/** SQLSTATE classes and codes (PostgreSQL, appendix A), with what the person who starts the platform can do. */
const REMEDIES: readonly (readonly [prefix: string, remedy: string])[] = [
  ['42501', 'Grant the role of the platform the rights that docs/guide/database.md lists, then start again.'],
  ['53100', 'Free space on the disk of the database, then start again.'],
  ['53', 'Give the database server more memory or connections, then start again.'],
  ['55P03', 'Another program holds a lock on the table; end it, then start again.'],
  ['40', 'The migration conflicted with other work; start again.'],
  ['57014', 'Something cancelled the statement; remove statement_timeout from the role or server, then start again.'],
  ['25006', 'The database accepts no changes; name the primary server with --database-url, then start again.'],
  ['57', 'Wait until the database server accepts connections, then start again.'],
  ['08', 'Check the connection to the database server, then start again.'],
];

const OTHERWISE =
  'Start the previous version, which still works with this database, and report this message to the project.';

export class MigrationFailed extends Error {
  override readonly name = 'MigrationFailed';

  /** `what`: the migration, as the beginning of a sentence. */
  constructor(what: string, cause: unknown) {
    super(
      `${what} failed: ${reasonOf(cause)}.\n` +
        'The database is as it was before it; earlier migrations are kept.\n' +
        remedyFor(cause),
      { cause },
    );
  }
}

/** As the server put it, with the details that name the row or object. */
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
