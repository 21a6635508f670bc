// Realistic certificate files in a temporary directory.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { writePem, writePkcs7 } from '@signetry/pki';
import {
  exportPrivateKeyPem,
  generateKeyPair,
  keyStoreEntry,
  writeKeyStore,
  type KeyStoreType,
} from '@signetry/pki/node';

export interface TestFolder {
  readonly path: string;
  write(name: string, content: string | Uint8Array): string;
  remove(): void;
}

export function testFolder(): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'signetry-file-discovery-')));
  return {
    path,
    write(name, content) {
      const file = join(path, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content);
      return file;
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export async function certificateWithKey(name: string) {
  const authority = await createExternalAuthority(`CN=Root of ${name}`);
  const { privateKey, spki } = await generateKeyPair('P-256');
  const leaf = authority.issue({ subject: `CN=${name}`, spki, dnsNames: [name] });
  return {
    leaf,
    root: authority.der,
    pem: writePem('CERTIFICATE', leaf),
    keyPem: (password?: string) => exportPrivateKeyPem(privateKey, password === undefined ? {} : { password }),
    pkcs7: () => writePkcs7([leaf, authority.der]),
    store: (type: KeyStoreType, password: string) =>
      writeKeyStore(
        { type, entries: [keyStoreEntry('web', privateKey, [leaf, authority.der])], others: [] },
        { password, now: new Date() },
      ),
  };
}

/** Returns a PKCS #12 file that claims two billion iterations. */
export function bomb(store: Uint8Array): Buffer {
  const octets = Buffer.from(store);
  // The MAC's iteration count is the last INTEGER in the file.
  const at = octets.lastIndexOf(Buffer.from([0x02]), octets.length - 3);
  const end = Buffer.concat([octets.subarray(0, at), Buffer.from([0x02, 4, 0x7f, 0xff, 0xff, 0xff])]);
  const grown = end.length - octets.length;
  return increaseLengths(end, [0, lengthHeaderOf(octets)], grown);
}

/** Returns the offset of the MacData, the last element of the outer SEQUENCE. */
function lengthHeaderOf(octets: Buffer): number {
  let at = 4;
  for (let next = at; next < octets.length;) {
    at = next;
    const first = octets[at + 1] ?? 0;
    next = first < 0x80 ? at + 2 + first : at + 2 + (first & 0x7f) + octets.readUIntBE(at + 2, first & 0x7f);
  }
  return at;
}

function increaseLengths(octets: Buffer, headers: readonly number[], by: number): Buffer {
  for (const at of headers) {
    const first = octets[at + 1] ?? 0;
    if (first < 0x80) octets[at + 1] = first + by;
    else octets.writeUIntBE(octets.readUIntBE(at + 2, first & 0x7f) + by, at + 2, first & 0x7f);
  }
  return octets;
}

export const makePipe = (path: string): void => void execFileSync('mkfifo', [path]);
