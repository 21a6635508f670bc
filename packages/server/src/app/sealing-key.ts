// The keys that seal secrets, held against what this installation sealed before: with other keys a start would come up
// and then fail at the first secret. A key is made only for an installation that has sealed nothing yet.
import { createSealer, parseSealingKeys, SealError, type Sealer } from '../platform/crypto/sealing.ts';
import type { Database } from '../platform/database/database.ts';
import { ConfigurationError } from './configuration.ts';
import { readSealingKeys, type DataDirectory } from './data-directory.ts';

export interface SealingKeyOptions {
  readonly directory: DataDirectory;
  /** File named by the configuration; absent for the one in the data directory. */
  readonly file: string | undefined;
  /** Where the platform remembers its key. A connector that runs by itself has its own tables only. */
  readonly database?: Database;
}

export async function openSealer({ directory, file, database }: SealingKeyOptions): Promise<Sealer> {
  const witness = database && (await readWitness(database));
  const path = file ?? directory.sealingKeyFile;
  const text = await readSealingKeys(path, { mayCreate: file === undefined && witness === undefined });
  if (text === undefined) throw missing(path, { isNamed: file !== undefined });
  const sealer = createSealer(readKeys(text, path));
  if (witness) assertOpens(sealer, witness, path);
  if (database && (!witness || sealer.isStale(witness))) await writeWitness(database, sealer.seal(WITNESS, PURPOSE));
  return sealer;
}

const missing = (path: string, { isNamed }: { readonly isNamed: boolean }): ConfigurationError =>
  new ConfigurationError(
    isNamed
      ? `--sealing-key-file: there is no file ${path}.`
      : `The sealing key of this installation is missing: there is no file ${path}. It opens the keys of the authorities and every other secret in the database. Put it back from its backup, or name it with --sealing-key-file.`,
  );

function readKeys(text: string, path: string): readonly Uint8Array[] {
  try {
    return parseSealingKeys(text);
  } catch (error) {
    if (error instanceof SealError) throw new ConfigurationError(`${path} cannot be used: ${error.message}`);
    throw error;
  }
}

/** A sealed value of no worth, by which later starts tell whether they have the right key. */
const WITNESS = Buffer.from('signetry');
const PURPOSE = 'sealing key witness';
const NAME = 'sealing_key_witness';

async function readWitness(database: Database): Promise<Uint8Array | undefined> {
  const [row] = await database.query<{ value: { sealed: string } }>('SELECT value FROM installation WHERE name = $1', [
    NAME,
  ]);
  return row && Buffer.from(row.value.sealed, 'base64');
}

async function writeWitness(database: Database, sealed: Uint8Array): Promise<void> {
  await database.query(
    `INSERT INTO installation (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value, updated_at = now()`,
    [NAME, JSON.stringify({ sealed: Buffer.from(sealed).toString('base64') })],
  );
}

function assertOpens(sealer: Sealer, witness: Uint8Array, path: string): void {
  try {
    sealer.open(witness, PURPOSE);
  } catch (error) {
    if (!(error instanceof SealError)) throw error;
    throw new ConfigurationError(
      `The sealing key in ${path} is not the one of this installation: ${error.message} Put the right file back from its backup, or add its line to this one.`,
    );
  }
}
