// Keys that are recognized only by lists, such as those of Debian's broken random generator (CVE-2008-0166): nothing in
// such a key shows how it was generated. The lists are operator-supplied files in the format of Debian's
// openssl-blacklist package, read once at startup.
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rejected } from '../../kernel/errors.ts';
import { requestContentOf, type RequestFacts } from './read-request.ts';

export interface WeakKeyLists {
  /** Number of keys. */
  readonly size: number;
  /** Returns whether a list contains the RSA modulus (big-endian, without leading zeros). */
  has(modulus: Uint8Array): boolean;
}

export const NO_WEAK_KEYS: WeakKeyLists = { size: 0, has: () => false };

/**
 * The last 80 bits of the SHA-1 of `Modulus=HEX`, with HEX in uppercase and a trailing line feed (openssl-vulnkey(1)).
 */
const ENTRY = /^[0-9a-f]{20}$/i;
const ENTRY_BYTES = 10;

/**
 * Reads every file in a directory. Comments begin with `#`. Throws an `Error` with the file and the malformed line,
 * because a partially read list would be mistaken for a complete one.
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
      if (!ENTRY.test(text)) throw new Error(`${path}, line ${index + 1}: must contain 20 hexadecimal digits`);
      entries.add(storedForm(Buffer.from(text, 'hex')));
    }
  }
  if (entries.size === 0) throw new Error(`${folder} contains no weak key lists`);
  return { size: entries.size, has: (modulus) => entries.has(storedForm(entryOf(modulus))) };
}

function entryOf(modulus: Uint8Array): Buffer {
  return createHash('sha1').update(`Modulus=${modulus.toHex().toUpperCase()}\n`).digest().subarray(-ENTRY_BYTES);
}

/**
 * One byte per character. This uses half as much memory as hex, and copies the text, so that no file content stays in
 * memory.
 */
const storedForm = (entry: Buffer): string => entry.toString('latin1');

/** Rejects a request whose key is on a list. */
export function rejectListedKey(
  lists: WeakKeyLists,
  request: Pick<RequestFacts, 'der' | 'format' | 'public_key_algorithm'>,
): void {
  if (lists.size === 0 || request.public_key_algorithm !== 'RSA') return;
  const { modulus } = requestContentOf(request).publicKey;
  if (modulus !== undefined && lists.has(modulus)) throw listedKeyError();
}

const listedKeyError = () =>
  rejected(
    'request: its key is on the platform’s lists of weak keys, such as those of Debian’s broken random generator (CVE-2008-0166), so others may know its private key; generate a new key pair on an up-to-date system',
  );
