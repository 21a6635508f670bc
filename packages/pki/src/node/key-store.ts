// Key stores of both formats as lists of entries: PKCS#12 and JKS, read and written again. What is not understood, such
// as secrets in PKCS#12 and keys of a JKS store that have another password, goes through unchanged.
import type { KeyObject } from 'node:crypto';
import { createPrivateKey } from 'node:crypto';
import { equalBytes } from '../bytes.ts';
import { isPkiError, PkiError } from '../errors.ts';
import { openJksKey, protectJksKey } from '../jks/key-protector.ts';
import { jksAlias, readJks, writeJks, type JksEntry } from '../jks/jks.ts';
import { writePkcs12Store } from '../pkcs12/writer.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { nodeCrypto } from './crypto.ts';
import { exportPrivateKey, exportPublicKey } from './keys.ts';
import { readPkcs12Bags, type Pkcs12CertificateBag, type Pkcs12KeyBag } from './pkcs12-bags.ts';

export const KEY_STORE_TYPES = ['PKCS12', 'JKS'] as const;
export type KeyStoreType = (typeof KEY_STORE_TYPES)[number];

export interface KeyStoreEntry {
  /**
   * Java compares names without regard to case; in JKS it finds those in lower case only. Entries of a PKCS#12 file
   * without a name have numbers.
   */
  readonly alias: string;
  /** Undefined for a certificate without a key. */
  readonly key: KeyStoreKey | undefined;
  /** In DER: the certificate of the key first, then its issuers as far as the store has them. */
  readonly chain: readonly Uint8Array[];
  /** Without a key: Java trusts the certificate. In PKCS#12 there are others, which Java does not list. */
  readonly isTrusted: boolean;
  /** Epoch milliseconds; JKS only. */
  readonly createdMs: number | undefined;
  /** Attributes in DER that are not shown here; PKCS#12 only. */
  readonly attributes: readonly Uint8Array[];
}

/** `protected`: EncryptedPrivateKeyInfo of a JKS entry, which may have a password of its own. */
export type KeyStoreKey = { readonly pkcs8: Uint8Array } | { readonly protected: Uint8Array };

export interface KeyStore {
  readonly type: KeyStoreType;
  readonly entries: readonly KeyStoreEntry[];
  /** SafeBags in DER that are neither key nor certificate; PKCS#12 only. */
  readonly others: readonly Uint8Array[];
}

/** How long a processor may derive keys: a store of Java 8 takes a fifth of a second for each of its keys. */
const DERIVATION_SECONDS = 10;

/**
 * Reads a key store. Certificates are not parsed but to find chains in PKCS#12. Throws `PkiError`: `wrong-password`,
 * `bad-value` naming the type when the file is of the other one, and as `readPkcs12` and `readJks`.
 */
export async function readKeyStore(
  bytes: Uint8Array,
  { type, password }: { readonly type: KeyStoreType; readonly password: string },
): Promise<KeyStore> {
  const actual = keyStoreTypeOf(bytes);
  if (actual !== undefined && actual !== type)
    throw new PkiError('bad-value', `The file is a key store of the type ${actual}, not ${type}.`);
  if (type === 'JKS')
    return { type, entries: readJks(bytes, { password, digest: nodeCrypto.digest }).map(entryOfJks), others: [] };
  const { keys, certificates, others } = await readPkcs12Bags(bytes, { password, seconds: DERIVATION_SECONDS });
  return { type, entries: entriesOfPkcs12(keys, certificates), others };
}

/** By the first octets; undefined for anything else. */
export function keyStoreTypeOf(bytes: Uint8Array): KeyStoreType | undefined {
  if (bytes[0] === 0x30) return 'PKCS12';
  return bytes.subarray(0, 4).toHex() === 'feedfeed' ? 'JKS' : undefined;
}

/**
 * Writes a store, protected by the password: PKCS#12 with AES-256 and SHA-256, JKS as it always was. `now` dates
 * entries that have no date. Throws `PkiError` `bad-argument` for what cannot be written, such as an empty password.
 */
export async function writeKeyStore(
  store: KeyStore,
  { password, now }: { readonly password: string; readonly now: Date },
): Promise<Uint8Array<ArrayBuffer>> {
  if (password === '') throw new PkiError('bad-argument', 'A key store needs a password.');
  const { type, entries, others } = store;
  if (type === 'JKS')
    return writeJks(
      entries.map((entry) => jksEntryOf(entry, { password, now })),
      { password, digest: nodeCrypto.digest },
    );
  return await writePkcs12Store({
    keys: entries.flatMap(({ alias, key, chain, attributes }) =>
      key ? [{ privateKey: clearKey(key, password), chain, friendlyName: alias, attributes }] : [],
    ),
    certificates: entries.flatMap(({ alias, key, chain: [certificate], isTrusted, attributes }) =>
      key || !certificate ? [] : [{ certificate, friendlyName: alias, isTrusted, attributes }],
    ),
    others,
    password,
  });
}

/** The alias under which a store holds an entry with this name, and under which Java finds it there. */
export const storedAlias = (type: KeyStoreType, name: string): string => (type === 'JKS' ? jksAlias(name) : name);

/** Whether two entries have the same private key, or both none. Throws `PkiError` as `keyStorePrivateKey`. */
export function hasSameKey(a: Pick<KeyStoreEntry, 'key'>, b: Pick<KeyStoreEntry, 'key'>, password: string): boolean {
  if (!a.key || !b.key) return a.key === b.key;
  if ('pkcs8' in a.key && 'pkcs8' in b.key) return equalBytes(a.key.pkcs8, b.key.pkcs8);
  if ('protected' in a.key && 'protected' in b.key) return equalBytes(a.key.protected, b.key.protected);
  return keyStorePrivateKey(a.key, password).equals(keyStorePrivateKey(b.key, password));
}

/** Throws `PkiError`: `wrong-password` for a JKS entry with a password of its own, `bad-key`. */
export function keyStorePrivateKey(key: KeyStoreKey, password: string): KeyObject {
  const pkcs8 = clearKey(key, password);
  try {
    return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new PkiError('bad-key', 'The key store holds a private key that cannot be read.', { cause });
  }
}

/** An entry with a key, for `writeKeyStore`. */
export const keyStoreEntry = (alias: string, privateKey: KeyObject, chain: readonly Uint8Array[]): KeyStoreEntry => ({
  alias,
  key: { pkcs8: exportPrivateKey(privateKey) },
  chain,
  isTrusted: false,
  createdMs: undefined,
  attributes: [],
});

const clearKey = (key: KeyStoreKey, password: string): Uint8Array =>
  'pkcs8' in key ? key.pkcs8 : openJksKey(key.protected, { password, digest: nodeCrypto.digest });

function entryOfJks(entry: JksEntry): KeyStoreEntry {
  const { alias, createdMs } = entry;
  const common = { alias, createdMs, attributes: [] };
  return entry.kind === 'key'
    ? { ...common, key: { protected: entry.protectedKey }, chain: entry.chain, isTrusted: false }
    : { ...common, key: undefined, chain: [entry.certificate], isTrusted: true };
}

function jksEntryOf(
  { alias, key, chain, createdMs: known }: KeyStoreEntry,
  { password, now }: { readonly password: string; readonly now: Date },
): JksEntry {
  const createdMs = known ?? now.getTime();
  const [certificate] = chain;
  if (key) return { kind: 'key', alias, createdMs, protectedKey: protectedOf(key, password), chain };
  if (!certificate) throw new PkiError('bad-argument', `The entry ${alias} has neither a key nor a certificate.`);
  return { kind: 'certificate', alias, createdMs, certificate };
}

const protectedOf = (key: KeyStoreKey, password: string): Uint8Array =>
  'protected' in key ? key.protected : protectJksKey(key.pkcs8, { password, ...nodeCrypto });

/** Keys with their chains, then the certificates that are in none of them. */
function entriesOfPkcs12(
  keys: readonly Pkcs12KeyBag[],
  certificates: readonly Pkcs12CertificateBag[],
): KeyStoreEntry[] {
  const parsed = certificates.map((bag) => ({ bag, certificate: parsedOrUndefined(bag.certificate) }));
  // By their octets: Java has a certificate that is trusted and in a chain twice.
  const used = new Set<string>();
  let unnamed = 0;
  const aliasOf = (name: string | undefined): string => name ?? String(++unnamed);
  const withKeys = keys.map(({ pkcs8, friendlyName, localKeyId, others }): KeyStoreEntry => {
    const path = chainOf(leafOf(pkcs8, localKeyId, parsed), parsed);
    for (const { bag } of path) used.add(bag.certificate.toHex());
    const chain = path.map(({ bag }) => bag.certificate);
    const common = { isTrusted: false, createdMs: undefined, attributes: others };
    return { alias: aliasOf(friendlyName), key: { pkcs8 }, chain, ...common };
  });
  const alone = certificates.filter(({ isTrusted, certificate }) => isTrusted || !used.has(certificate.toHex()));
  return [
    ...withKeys,
    ...alone.map(({ certificate, friendlyName, isTrusted, others: attributes }): KeyStoreEntry => {
      const common = { key: undefined, createdMs: undefined, isTrusted, attributes };
      return { alias: aliasOf(friendlyName), chain: [certificate], ...common };
    }),
  ];
}

interface ParsedBag {
  readonly bag: Pkcs12CertificateBag;
  readonly certificate: Certificate | undefined;
}

/** One that cannot be parsed stays in the store; it is just in no chain. */
function parsedOrUndefined(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

/** The certificate of a key: the one with the same identifier, else with the same public key. */
function leafOf(pkcs8: Uint8Array, localKeyId: string | undefined, bags: readonly ParsedBag[]): ParsedBag | undefined {
  const identified = bags.find(({ bag }) => localKeyId !== undefined && bag.localKeyId === localKeyId);
  if (identified) return identified;
  try {
    const spki = exportPublicKey(keyStorePrivateKey({ pkcs8 }, ''));
    return bags.find(({ certificate }) => certificate && equalBytes(certificate.spki, spki));
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

function chainOf(leaf: ParsedBag | undefined, bags: readonly ParsedBag[]): ParsedBag[] {
  const chain: ParsedBag[] = [];
  let current = leaf;
  while (current && !chain.includes(current)) {
    chain.push(current);
    const { certificate }: ParsedBag = current;
    current =
      !certificate || certificate.isSelfIssued
        ? undefined
        : bags.find((each) => each.certificate && equalBytes(each.certificate.subjectDer, certificate.issuerDer));
  }
  return chain;
}
