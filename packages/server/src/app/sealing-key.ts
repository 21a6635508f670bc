// Sealing keys, checked against previously sealed data: with different keys a start would succeed and then fail at the
// first secret. A key is generated only if the installation has not sealed anything yet.
import { loadRetiredKeys, registerKeys, type KeyFile } from '../areas/keys-at-rest/index.ts';
import {
  createSealer,
  keyIdOf,
  parseSealingKeys,
  SealError,
  type KeyRing,
  type Sealer,
} from '../platform/crypto/sealing.ts';
import type { SealedColumn } from '../platform/crypto/sealed-column.ts';
import type { Database } from '../platform/database/database.ts';
import { readSealingKeys, writePrivateFile, type DataDirectory } from './data-directory.ts';

export interface SealingKeyOptions {
  readonly directory: DataDirectory;
  /** Configured file; undefined if the file in the data directory is used. */
  readonly file: string | undefined;
}

/** Opens the keys for a standalone connector, which has only its own tables. */
export async function openSealer(options: SealingKeyOptions): Promise<Sealer> {
  return createSealer(await readFirst(options, { mayCreate: true }));
}

export interface OpenKeys {
  readonly ring: KeyRing;
  readonly file: KeyFile;
}

/**
 * Opens the platform's keys: every key that may have sealed a secret, with the installation's key as the current one.
 */
export async function openKeys(options: SealingKeyOptions & { readonly database: Database }): Promise<OpenKeys> {
  const { database } = options;
  const witness = await readWitness(database);
  const file = keyFileOf(options);
  const registered = await registerKeys(database, []);
  const ring = createSealer(await readFirst(options, { mayCreate: witness === undefined, needed: registered.needed }));
  if (witness && registered.current === undefined) assertOpens(ring, witness, file.path);
  const { needed, current } = await registerKeys(database, ring.keyIds());
  const absent = needed.filter((id) => !ring.keyIds().includes(id));
  if (absent.length > 0) throw absentKeysError(file.path, absent);
  if (current !== undefined) ring.use(current);
  if (!witness) await writeWitness(database, ring.seal(WITNESS, PURPOSE));
  await loadRetiredKeys(database.executor, ring);
  return { ring, file };
}

const pathOf = ({ directory, file }: SealingKeyOptions): string => file ?? directory.sealingKeyFile;

async function readFirst(
  options: SealingKeyOptions,
  { mayCreate, needed = [] }: { readonly mayCreate: boolean; readonly needed?: readonly string[] },
): Promise<readonly Uint8Array[]> {
  const path = pathOf(options);
  const text = await readSealingKeys(path, { mayCreate: options.file === undefined && mayCreate });
  if (text === undefined) throw missingKeysError(path, { isNamed: options.file !== undefined, needed });
  return readKeys(text, path);
}

function keyFileOf(options: SealingKeyOptions): KeyFile {
  const path = pathOf(options);
  return {
    path,
    isOwn: options.file === undefined,
    read: async () => readKeys((await readSealingKeys(path, { mayCreate: false })) ?? '', path),
    add: async (key) => {
      const text = (await readSealingKeys(path, { mayCreate: false })) ?? '';
      const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
      await writePrivateFile(path, `${ended}# Key ${keyIdOf(key)}\n${Buffer.from(key).toString('base64')}\n`);
    },
  };
}

/**
 * Sealing keys that are required to decrypt secrets in the database are missing. The start fails with exit code 1, as
 * for any other machine fault.
 */
class SealingKeyError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SealingKeyError';
  }
}

const namesOf = (ids: readonly string[]): string => (ids.length === 1 ? `key ${ids[0]}` : `keys ${ids.join(', ')}`);

const absentKeysError = (path: string, ids: readonly string[]): SealingKeyError =>
  new SealingKeyError(
    `The sealing key file ${path} does not contain ${namesOf(ids)}, which secrets in the database are sealed with. The file may belong to a different installation. Restore the missing line from the backup; \`signetry keys-at-rest rotate\` shows when a line is no longer needed.`,
  );

function missingKeysError(
  path: string,
  { isNamed, needed }: { readonly isNamed: boolean; readonly needed: readonly string[] },
): SealingKeyError {
  const ids = needed.length === 0 ? '' : ` Needed: ${namesOf(needed)}.`;
  return new SealingKeyError(
    isNamed
      ? `--sealing-key-file: file ${path} not found.${ids}`
      : `The sealing key of this installation is missing: file ${path} not found. It decrypts the authorities' keys and every other secret in the database.${ids} Restore it from its backup, or specify it with --sealing-key-file.`,
  );
}

function readKeys(text: string, path: string): readonly Uint8Array[] {
  try {
    return parseSealingKeys(text);
  } catch (error) {
    if (error instanceof SealError) throw new SealingKeyError(`Cannot use ${path}: ${error.message}`);
    throw error;
  }
}

/** Sealed constant with which later starts recognize the correct key. */
const WITNESS = Buffer.from('signetry');
const PURPOSE = 'sealing key witness';
const NAME = 'sealing_key_witness';

export const witnessColumn: SealedColumn = {
  table: 'installation',
  key: 'name',
  keyType: 'text',
  column: 'value',
  form: 'json',
  purpose: () => PURPOSE,
};

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
    throw new SealingKeyError(
      `The sealing key in ${path} does not belong to this installation: ${error.message} Restore the correct file from its backup, or add its line to this one.`,
    );
  }
}
