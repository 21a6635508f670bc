// Keys that are known by lists, as those of Debian's broken random generator (CVE-2008-0166) are: nothing in such a key
// shows how it was made. The lists are files of the operator in the format of Debian's package openssl-blacklist, and
// are read once, at the start.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rejected } from '../../kernel/errors.ts';
import { requestedOf, type RequestFacts } from './read-request.ts';

export interface WeakKeyLists {
  /** Number of keys. */
  readonly size: number;
  /** Whether a list has the RSA modulus (big-endian, without leading zeros). */
  has(modulus: Uint8Array): boolean;
}

export const NO_WEAK_KEYS: WeakKeyLists = { size: 0, has: () => false };

/** The last 80 bits of the SHA-1 of `Modulus=HEX`, HEX in upper case, with a line feed (openssl-vulnkey(1)). */
const ENTRY = /^[0-9a-f]{20}$/i;
const ENTRY_BYTES = 10;

/**
 * Reads every file of a folder; comments begin with `#`. Throws an `Error` that names the file, and the line that is no
 * entry: a list that was read in part would pass for a whole one.
 */
export async function readWeakKeyLists(folder: string): Promise<WeakKeyLists> {
  const entries = new Set<string>();
  for (const file of await readdir(folder, { withFileTypes: true })) {
    if (file.isDirectory() || file.name.startsWith('.')) continue;
    const path = join(folder, file.name);
    const lines = (await readFile(path, 'latin1')).split('\n');
    for (const [index, line] of lines.entries()) {
      const text = line.trim();
      if (text === '' || text.startsWith('#')) continue;
      if (!ENTRY.test(text)) throw new Error(`${path}, line ${index + 1}: must have 20 hexadecimal digits`);
      entries.add(keptForm(Buffer.from(text, 'hex')));
    }
  }
  if (entries.size === 0) throw new Error(`${folder} has no list of weak keys`);
  return { size: entries.size, has: (modulus) => entries.has(keptForm(entryOf(modulus))) };
}

function entryOf(modulus: Uint8Array): Buffer {
  return createHash('sha1').update(`Modulus=${modulus.toHex().toUpperCase()}\n`).digest().subarray(-ENTRY_BYTES);
}

/** An octet for each character: half the size of hexadecimal, and a copy, so that no file stays in memory. */
const keptForm = (entry: Buffer): string => entry.toString('latin1');

/** Refuses a request for a key that a list has. */
export function refuseListedKey(
  lists: WeakKeyLists,
  request: Pick<RequestFacts, 'der' | 'format' | 'public_key_algorithm'>,
): void {
  if (lists.size === 0 || request.public_key_algorithm !== 'RSA') return;
  const { modulus } = requestedOf(request).publicKey;
  if (modulus !== undefined && lists.has(modulus)) throw listedKey();
}

const listedKey = () =>
  rejected(
    'request: its key is on the platform’s lists of weak keys, such as those of Debian’s broken random generator (CVE-2008-0166), and anybody may know its private key; generate a new key pair on a system that is up to date',
  );
