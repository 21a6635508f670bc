// Key stores in PKCS #12 and JKS format as lists of entries, for reading and rewriting. Unsupported contents, such as
// secrets in PKCS #12 and JKS keys with a different password, are preserved unchanged.
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
   * Java compares aliases case-insensitively; in JKS it finds only lowercase ones. Unnamed entries of a PKCS #12 file
   * are numbered.
   */
  readonly alias: string;
  /** Undefined for a certificate without a key. */
  readonly key: KeyStoreKey | undefined;
  /** DER certificates: the key's certificate first, then its issuers as far as the store contains them. */
  readonly chain: readonly Uint8Array[];
  /**
   * Whether Java trusts an entry without a key. PKCS #12 files can also contain untrusted certificates, which Java does
   * not list.
   */
  readonly isTrusted: boolean;
  /** Epoch milliseconds; JKS only. */
  readonly createdMs: number | undefined;
  /** Other attributes in DER, for PKCS #12 only. */
  readonly attributes: readonly Uint8Array[];
}

/** `protected`: EncryptedPrivateKeyInfo of a JKS entry, which can have its own password. */
export type KeyStoreKey = { readonly pkcs8: Uint8Array } | { readonly protected: Uint8Array };

export interface KeyStore {
  readonly type: KeyStoreType;
  readonly entries: readonly KeyStoreEntry[];
  /** SafeBags other than keys and certificates in DER, for PKCS #12 only. */
  readonly others: readonly Uint8Array[];
}

/** CPU time limit for key derivation: a Java 8 store needs 0.2 s for each key. */
const DERIVATION_SECONDS = 10;

/**
 * Reads a key store. Certificates are parsed only to find chains in PKCS #12. Throws `PkiError`: `wrong-password`,
 * `bad-value` with the actual type if the file is of the other type, and the same errors as `readPkcs12` and `readJks`.
 */
export async function readKeyStore(
  bytes: Uint8Array,
  { type, password }: { readonly type: KeyStoreType; readonly password: string },
): Promise<KeyStore> {
  const actual = keyStoreTypeOf(bytes);
  if (actual !== undefined && actual !== type)
    throw new PkiError('bad-value', `The file is a key store of type ${actual}, not ${type}.`);
  if (type === 'JKS')
    return { type, entries: readJks(bytes, { password, digest: nodeCrypto.digest }).map(entryFromJks), others: [] };
  const { keys, certificates, others } = await readPkcs12Bags(bytes, { password, seconds: DERIVATION_SECONDS });
  return { type, entries: entriesFromPkcs12(keys, certificates), others };
}

/** Detects the type from the first bytes; returns undefined for anything else. */
export function keyStoreTypeOf(bytes: Uint8Array): KeyStoreType | undefined {
  if (bytes[0] === 0x30) return 'PKCS12';
  return bytes.subarray(0, 4).toHex() === 'feedfeed' ? 'JKS' : undefined;
}

/**
 * Writes a store protected by the password: PKCS #12 with AES-256 and SHA-256, or JKS with its fixed protection.
 * Entries without a date receive the date `now`. Throws `PkiError` `bad-argument` if the store cannot be written, for
 * example because the password is empty.
 */
export async function writeKeyStore(
  store: KeyStore,
  { password, now }: { readonly password: string; readonly now: Date },
): Promise<Uint8Array<ArrayBuffer>> {
  if (password === '') throw new PkiError('bad-argument', 'A key store must have a password.');
  const { type, entries, others } = store;
  if (type === 'JKS')
    return writeJks(
      entries.map((entry) => jksEntryOf(entry, { password, now })),
      { password, digest: nodeCrypto.digest },
    );
  return await writePkcs12Store({
    keys: entries.flatMap(({ alias, key, chain, attributes }) =>
      key ? [{ privateKey: plainKeyOf(key, password), chain, friendlyName: alias, attributes }] : [],
    ),
    certificates: entries.flatMap(({ alias, key, chain: [certificate], isTrusted, attributes }) =>
      key || !certificate ? [] : [{ certificate, friendlyName: alias, isTrusted, attributes }],
    ),
    others,
    password,
  });
}

/** Returns the alias under which a store keeps an entry with this name so that Java can find it. */
export const storedAlias = (type: KeyStoreType, name: string): string => (type === 'JKS' ? jksAlias(name) : name);

/**
 * Returns whether two entries have the same private key, or neither has one. Throws the same errors as
 * `keyStorePrivateKey`.
 */
export function hasSameKey(a: Pick<KeyStoreEntry, 'key'>, b: Pick<KeyStoreEntry, 'key'>, password: string): boolean {
  if (!a.key || !b.key) return a.key === b.key;
  if ('pkcs8' in a.key && 'pkcs8' in b.key) return equalBytes(a.key.pkcs8, b.key.pkcs8);
  if ('protected' in a.key && 'protected' in b.key) return equalBytes(a.key.protected, b.key.protected);
  return keyStorePrivateKey(a.key, password).equals(keyStorePrivateKey(b.key, password));
}

/** Returns the private key. Throws `PkiError`: `wrong-password` for a JKS entry with its own password, `bad-key`. */
export function keyStorePrivateKey(key: KeyStoreKey, password: string): KeyObject {
  const pkcs8 = plainKeyOf(key, password);
  try {
    return createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  } catch (cause) {
    throw new PkiError('bad-key', 'The key store contains a private key that is malformed or not supported.', {
      cause,
    });
  }
}

/** Returns an entry with a key, for `writeKeyStore`. */
export const keyStoreEntry = (alias: string, privateKey: KeyObject, chain: readonly Uint8Array[]): KeyStoreEntry => ({
  alias,
  key: { pkcs8: exportPrivateKey(privateKey) },
  chain,
  isTrusted: false,
  createdMs: undefined,
  attributes: [],
});

const plainKeyOf = (key: KeyStoreKey, password: string): Uint8Array =>
  'pkcs8' in key ? key.pkcs8 : openJksKey(key.protected, { password, digest: nodeCrypto.digest });

function entryFromJks(entry: JksEntry): KeyStoreEntry {
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
  if (key) return { kind: 'key', alias, createdMs, protectedKey: protectKey(key, password), chain };
  if (!certificate) throw new PkiError('bad-argument', `Entry ${alias} has neither a key nor a certificate.`);
  return { kind: 'certificate', alias, createdMs, certificate };
}

const protectKey = (key: KeyStoreKey, password: string): Uint8Array =>
  'protected' in key ? key.protected : protectJksKey(key.pkcs8, { password, ...nodeCrypto });

/** Returns keys with their chains, then the certificates that are not in any chain. */
function entriesFromPkcs12(
  keys: readonly Pkcs12KeyBag[],
  certificates: readonly Pkcs12CertificateBag[],
): KeyStoreEntry[] {
  const parsed = certificates.map((bag) => ({ bag, certificate: tryParse(bag.certificate) }));
  // Compare by bytes: a Java store contains a certificate twice if it is both trusted and in a chain.
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

/** Returns undefined for a certificate that cannot be parsed: it stays in the store but is not part of any chain. */
function tryParse(der: Uint8Array): Certificate | undefined {
  try {
    return parseCertificate(der);
  } catch (error) {
    if (isPkiError(error)) return undefined;
    throw error;
  }
}

/** Returns a key's certificate: the one with the same identifier, or else the one with the same public key. */
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
