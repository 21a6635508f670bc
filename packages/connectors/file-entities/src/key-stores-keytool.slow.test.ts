// Local key stores, cross-checked with Java's keytool.
import { execFileSync } from 'node:child_process';
import { writePem } from '@signetry/pki';
import { describe, expect, it } from 'vitest';
import {
  addLocal,
  aliasesOf,
  HAS_KEYTOOL,
  issueAs,
  KEYTOOL_NOTE,
  createLocationFactory,
  PASSWORD,
  pushAs,
  STORE_TYPES,
} from './testing/key-stores.ts';
import { startTestFiles } from './testing/test-files.ts';

const { call, folder, authority } = await startTestFiles();
const newPlace = createLocationFactory({ call, entity: await addLocal(call), folder });

describe.each(STORE_TYPES)('a %s key store', { timeout: 120_000 }, (type) => {
  it.skipIf(!HAS_KEYTOOL)(`is compatible with keytool in both directions${KEYTOOL_NOTE}`, async () => {
    const place = await newPlace(type);
    const keytool = (...args: string[]): string =>
      execFileSync('keytool', ['-J-Duser.language=en', ...args, '-keystore', place.file, '-storepass', PASSWORD], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const dname = ['-dname', 'CN=java.example', '-keyalg', 'EC', '-groupname', 'secp256r1'];
    const protection = ['-storetype', type, '-keypass', PASSWORD];
    keytool('-genkeypair', '-alias', 'theirs', ...dname, ...protection);
    const certificate = await issueAs(place, 'Ours', authority);
    await pushAs(place, 'trusted', authority.der);
    const list = keytool('-list', '-v');
    expect(list).toContain('contains 3 entries');
    const aliases = [...list.matchAll(/Alias name: (\w+)\n.*\nEntry type: (\w+)/g)].map(([, name, kind]) => [
      name,
      kind,
    ]);
    expect(Object.fromEntries(aliases)).toEqual({
      theirs: 'PrivateKeyEntry',
      ours: 'PrivateKeyEntry', // keytool shows aliases in lowercase for both types.
      trusted: 'trustedCertEntry',
    });
    // A CSR requires the private key.
    expect(keytool('-certreq', '-alias', 'Ours')).toContain('BEGIN NEW CERTIFICATE REQUEST');
    expect(keytool('-certreq', '-alias', 'theirs')).toContain('BEGIN NEW CERTIFICATE REQUEST');
    expect(keytool('-exportcert', '-rfc', '-alias', 'ours').replaceAll('\r', '')).toContain(
      writePem('CERTIFICATE', certificate).slice(0, 200),
    );
    expect((await aliasesOf(place)).toSorted()).toEqual([
      [type === 'JKS' ? 'ours' : 'Ours', true],
      ['theirs', true],
      ['trusted', false],
    ]);
  });
});
