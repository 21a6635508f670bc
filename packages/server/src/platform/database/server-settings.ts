// Database server settings that slow down the platform or lose acknowledged data. They are detected and reported at
// startup, since only the server's administrator can change them.
import type { Database } from './database.ts';

interface Setting {
  readonly name: string;
  /** Value as printed by `SHOW`. */
  readonly shown: string;
  /** Value in the setting's unit. */
  readonly setting: string;
}

interface Rule {
  readonly name: string;
  readonly isHarmful: (setting: string) => boolean;
  readonly effect: string;
  readonly remedy: string;
}

const isOff = (setting: string): boolean => setting === 'off';
const isOn = (setting: string): boolean => setting === 'on';
const isBelow =
  (least: number) =>
  (setting: string): boolean =>
    Number(setting) < least;

/** The setting's unit is pages of 8 KB. */
const PAGES_OF_128_MB = 16_384;
const KB_OF_4_MB = 4_096;
/** Two nodes with 17 connections each, plus some for administrators. */
const LEAST_CONNECTIONS = 40;

const RULES: readonly Rule[] = [
  { name: 'fsync', isHarmful: isOff, effect: 'a machine crash can destroy the database', remedy: 'on' },
  { name: 'full_page_writes', isHarmful: isOff, effect: 'a machine crash can destroy the database', remedy: 'on' },
  { name: 'synchronous_commit', isHarmful: isOff, effect: 'a crash loses certificates that were already sent to clients', remedy: 'on' },
  { name: 'autovacuum', isHarmful: isOff, effect: 'tables grow, and queries become slower over time', remedy: 'on' },
  { name: 'track_counts', isHarmful: isOff, effect: 'tables are not vacuumed, and queries become slower over time', remedy: 'on' },
  { name: 'track_activities', isHarmful: isOff, effect: 'dead connections are not detected', remedy: 'on' },
  { name: 'jit', isHarmful: isOn, effect: 'queries take 20 to 200 times as long', remedy: 'off' },
  { name: 'enable_indexscan', isHarmful: isOff, effect: 'queries scan whole tables', remedy: 'on' },
  { name: 'enable_nestloop', isHarmful: isOff, effect: 'queries scan whole tables', remedy: 'on' },
  { name: 'default_transaction_read_only', isHarmful: isOn, effect: 'the platform cannot change any data', remedy: 'off' },
  { name: 'shared_buffers', isHarmful: isBelow(PAGES_OF_128_MB), effect: 'searches read from disk', remedy: '1GB per million certificates, at least 128MB' },
  { name: 'work_mem', isHarmful: isBelow(KB_OF_4_MB), effect: 'sort operations use the disk', remedy: '4MB or more' },
  { name: 'max_connections', isHarmful: isBelow(LEAST_CONNECTIONS), effect: 'nodes run out of connections; each node needs 17', remedy: `${LEAST_CONNECTIONS} or more` },
  { name: 'default_transaction_isolation', isHarmful: (setting) => setting !== 'read committed', effect: 'concurrent changes fail', remedy: 'read committed' },
]; // prettier-ignore

/** Returns one sentence for each harmful setting, as seen by the platform's sessions. */
export const findHarmfulSettings = async (database: Database): Promise<readonly string[]> => [
  ...(await findServerSettings(database)),
  ...(await findDatabaseSettings(database)),
];

async function findServerSettings(database: Database): Promise<readonly string[]> {
  const settings = await database.query<Setting>(
    'SELECT name, setting, current_setting(name) AS shown FROM pg_settings WHERE name = ANY ($1)',
    [RULES.map(({ name }) => name)],
  );
  const byName = new Map(settings.map((each) => [each.name, each]));
  return RULES.flatMap(({ name, isHarmful, effect, remedy }) => {
    const found = byName.get(name);
    return found && isHarmful(found.setting)
      ? [`${name} is ${found.shown} on the database server: ${effect}. Set it to ${remedy}.`]
      : [];
  });
}

/** Checks settings that were chosen when the database was created. */
async function findDatabaseSettings(database: Database): Promise<readonly string[]> {
  const [found] = await database.query<{ encoding: string; ctype: string; knowsAsciiOnly: boolean }>(
    `SELECT pg_encoding_to_char(encoding) AS encoding, datctype AS ctype,
       datlocprovider = 'c' AND datctype IN ('C', 'POSIX') AS "knowsAsciiOnly"
     FROM pg_database WHERE datname = current_database()`,
  );
  if (!found) return [];
  const { encoding, ctype, knowsAsciiOnly } = found;
  return [
    ...(encoding === 'UTF8'
      ? []
      : [`The database encoding is ${encoding}: names in other scripts cannot be stored. Create the database with ENCODING 'UTF8'.`]),
    ...(knowsAsciiOnly
      ? [`The database LC_CTYPE is ${ctype}: searches are case-sensitive for non-ASCII characters. Create the database with LC_CTYPE 'C.UTF-8'.`]
      : []),
  ]; // prettier-ignore
}
