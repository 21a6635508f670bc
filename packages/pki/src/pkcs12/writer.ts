// Encoding of PKCS #12 files (RFC 7292): private keys with their certificates and chains, and trusted certificates,
// protected by a password. Uses only Web Crypto, so that a browser can write a file for a key that never leaves it. For
// decoding, see src/node.
import { PkiError } from '../errors.ts';
import { encodeUtf16, encodeUtf8 } from '../der/text.ts';
import { TAG } from '../der/tags.ts';
import {
  encodeDer,
  explicitPart,
  implicitPrimitive,
  integerPart,
  nullPart,
  octetStringPart,
  oidPart,
  primitive,
  sequence,
  setOf,
  type DerNode,
  type DerPart,
} from '../der/writer.ts';
import { OID } from '../oids.ts';
import { deriveMacKey } from './mac-key.ts';

/**
 * PBKDF2 iterations for each of the two encrypted parts, which take 0.1 s in a browser. More would make guessing
 * passwords harder, but the .NET certificate loader rejects files with more than 300,000.
 */
const ENCRYPTION_ITERATIONS = 250_000;
/**
 * PBKDF2 iterations for each part of a key store, because readers decrypt all parts in sequence. The lower number does
 * not make guessing passwords easier: attackers would use the MAC, whose cost is unchanged.
 */
const STORE_ENCRYPTION_ITERATIONS = 50_000;
/**
 * MAC iterations, fifty times OpenSSL's default: attackers guess passwords with the cheapest check, which is the MAC.
 * They take 0.1 s, during which the page is blocked.
 */
const MAC_ITERATIONS = 100_000;
const SALT_LENGTH = 16;

export interface Pkcs12Input {
  /** PKCS#8 in DER. */
  readonly privateKey: Uint8Array;
  /** DER certificates: the key's certificate first, then its issuers. */
  readonly chain: readonly Uint8Array[];
  /** Name displayed by key stores. */
  readonly friendlyName: string;
  readonly password: string;
}

/**
 * Returns a PFX in DER (RFC 7292 §4) with one key. Throws `PkiError` `bad-argument` for an empty chain, and the same
 * errors as `writePkcs12Store`.
 */
export async function writePkcs12(input: Pkcs12Input): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey, chain, friendlyName, password } = input;
  if (chain.length === 0)
    throw new PkiError('bad-argument', 'A PKCS #12 file must contain the certificate for its key.');
  return await writeStore({ keys: [{ privateKey, chain, friendlyName }], password }, ENCRYPTION_ITERATIONS);
}

/**
 * Attributes in DER (PKCS12Attribute) that are preserved when a file is rewritten but not interpreted by this package.
 */
interface OtherAttributes {
  readonly attributes?: readonly Uint8Array[];
}

export interface Pkcs12StoreKey extends OtherAttributes {
  /** PKCS#8 in DER. */
  readonly privateKey: Uint8Array;
  /** DER certificates: the key's certificate first, then its issuers; empty if the key has no certificate yet. */
  readonly chain: readonly Uint8Array[];
  readonly friendlyName: string;
}

export interface Pkcs12StoreCertificate extends OtherAttributes {
  /** In DER. */
  readonly certificate: Uint8Array;
  readonly friendlyName?: string | undefined;
  /** Marks the certificate as trusted by Java; without the mark, Java treats it as part of a chain. */
  readonly isTrusted?: boolean;
}

export interface Pkcs12StoreInput {
  readonly keys: readonly Pkcs12StoreKey[];
  /** Certificates without a key. */
  readonly certificates?: readonly Pkcs12StoreCertificate[];
  /** SafeBags of other types, such as secrets, in DER; written unchanged. */
  readonly others?: readonly Uint8Array[];
  readonly password: string;
}

/**
 * Returns a PFX in DER (RFC 7292 §4): the certificates in one encrypted SafeContents, each key in a
 * pkcs8ShroudedKeyBag, and a MAC with HMAC-SHA256 over everything. A certificate in several chains is written once.
 * Throws `PkiError` `bad-argument` for an empty password, which protects nothing and for which programs derive
 * different keys.
 */
export const writePkcs12Store = (input: Pkcs12StoreInput): Promise<Uint8Array<ArrayBuffer>> =>
  writeStore(input, STORE_ENCRYPTION_ITERATIONS);

async function writeStore(input: Pkcs12StoreInput, iterations: number): Promise<Uint8Array<ArrayBuffer>> {
  const { keys, certificates = [], others = [], password } = input;
  if (password === '')
    throw new PkiError('bad-argument', 'A PKCS #12 file must have a password: without one, anyone could read the key.');
  if (!password.isWellFormed())
    throw new PkiError('bad-argument', 'The password must not contain an unpaired surrogate.');
  const encryption = { password, iterations };
  // A key and its certificate have the same names, so that readers can match them.
  const named = await Promise.all(keys.map(async (key) => ({ ...key, names: await keyAttributes(key) })));
  const bags = [...certBags(named, certificates), ...others];
  const encrypted = await encryptWithPassword(encodeDer(sequence(bags)), encryption);
  const shrouded = await Promise.all(
    named.map(async ({ privateKey, names }) => {
      const { algorithm, data } = await encryptWithPassword(privateKey, encryption);
      return bag(OID.pkcs12ShroudedKeyBag, sequence([algorithm, octetStringPart(data)]), names);
    }),
  );
  // AuthenticatedSafe (§4.1) in OpenSSL's order: certificates first.
  const content = encodeDer(
    sequence([
      bags.length > 0 ? encryptedInfo(encrypted) : undefined,
      shrouded.length > 0 ? dataInfo(encodeDer(sequence(shrouded))) : undefined,
    ]),
  );
  return encodeDer(sequence([integerPart(3), dataInfo(content), await macData(content, password)]));
}

async function keyAttributes({
  chain: [leaf],
  friendlyName,
  attributes = [],
}: Pkcs12StoreKey): Promise<DerPart | undefined> {
  const localKeyId = leaf && new Uint8Array(await crypto.subtle.digest('SHA-256', copyBytes(leaf)));
  return bagAttributes({ friendlyName, localKeyId, attributes });
}

/**
 * Returns each certificate once: first the keys' certificates, then those without a key, then the rest of the chains.
 */
function certBags(
  keys: readonly (Pkcs12StoreKey & { readonly names: DerPart | undefined })[],
  certificates: readonly Pkcs12StoreCertificate[],
): DerNode[] {
  const written = new Set<string>();
  const certBagOnce = (der: Uint8Array, attributes: DerPart | undefined): DerNode[] => {
    const text = der.toHex();
    if (written.has(text)) return [];
    written.add(text);
    return [certBag(der, attributes)];
  };
  return [
    ...keys.flatMap(({ chain: [leaf], names }) => (leaf ? certBagOnce(leaf, names) : [])),
    ...certificates.map(({ certificate, ...names }) => {
      written.add(certificate.toHex());
      return certBag(certificate, bagAttributes(names));
    }),
    ...keys.flatMap(({ chain }) => chain.slice(1).flatMap((der) => certBagOnce(der, undefined))),
  ];
}

/** Returns a ContentInfo of type data (RFC 5652 §4). */
const dataInfo = (content: Uint8Array): DerNode =>
  sequence([oidPart(OID.pkcs7Data), explicitPart(0, octetStringPart(content))]);

/** Returns a ContentInfo of type encryptedData (RFC 5652 §8); version 0 because it has no unprotected attributes. */
const encryptedInfo = ({ algorithm, data }: Encrypted): DerNode =>
  sequence([
    oidPart(OID.pkcs7EncryptedData),
    explicitPart(
      0,
      sequence([integerPart(0), sequence([oidPart(OID.pkcs7Data), algorithm, implicitPrimitive(0, data)])]),
    ),
  ]);

/** Returns a SafeBag (RFC 7292 §4.2). */
const bag = (type: string, value: DerPart, attributes: DerPart | undefined): DerNode =>
  sequence([oidPart(type), explicitPart(0, value), attributes]);

/** Returns a CertBag (RFC 7292 §4.2.3). */
const certBag = (der: Uint8Array, attributes: DerPart | undefined): DerNode =>
  bag(
    OID.pkcs12CertBag,
    sequence([oidPart(OID.pkcs9X509Certificate), explicitPart(0, octetStringPart(der))]),
    attributes,
  );

interface BagNames extends OtherAttributes {
  readonly friendlyName?: string | undefined;
  readonly localKeyId?: Uint8Array | undefined;
  readonly isTrusted?: boolean;
}

/**
 * Returns friendlyName and localKeyId (RFC 2985 §5.5.1, §5.5.2), and Oracle's attribute for certificates trusted by
 * Java.
 */
function bagAttributes({
  friendlyName,
  localKeyId,
  isTrusted = false,
  attributes = [],
}: BagNames): DerPart | undefined {
  const attribute = (type: string, value: DerPart): DerNode => sequence([oidPart(type), setOf([value])]);
  const all = [
    friendlyName === undefined
      ? undefined
      : attribute(OID.friendlyName, primitive(TAG.bmpString, encodeUtf16(friendlyName))),
    localKeyId && attribute(OID.localKeyId, octetStringPart(localKeyId)),
    isTrusted ? attribute(OID.oracleTrustedKeyUsage, oidPart(OID.anyExtendedKeyUsage)) : undefined,
    ...attributes,
  ].filter((each) => each !== undefined);
  return all.length === 0 ? undefined : setOf(all);
}

interface Encrypted {
  readonly algorithm: DerPart;
  readonly data: Uint8Array;
}

/**
 * Encrypts with PBES2 (RFC 8018 §6.2), using PBKDF2, HMAC-SHA256 and AES-256-CBC. Web Crypto uses the same padding as
 * RFC 5652 §6.3.
 */
async function encryptWithPassword(
  plain: Uint8Array,
  { password, iterations }: { readonly password: string; readonly iterations: number },
): Promise<Encrypted> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const secret = await crypto.subtle.importKey('raw', copyBytes(encodeUtf8(password)), 'PBKDF2', false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations },
    secret,
    { name: 'AES-CBC', length: 256 },
    false,
    ['encrypt'],
  );
  const data = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, copyBytes(plain)));
  const prf = sequence([oidPart(OID.hmacWithSha256), nullPart()]);
  const derivation = sequence([oidPart(OID.pbkdf2), sequence([octetStringPart(salt), integerPart(iterations), prf])]);
  const scheme = sequence([oidPart(OID.aes256Cbc), octetStringPart(iv)]);
  return { algorithm: sequence([oidPart(OID.pbes2), sequence([derivation, scheme])]), data };
}

/** Returns MacData (RFC 7292 §4): HMAC-SHA256 over the contents, with the key derived as specified in appendix B. */
async function macData(content: Uint8Array, password: string): Promise<DerNode> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const secret = await deriveMacKey(password, { salt, iterations: MAC_ITERATIONS });
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  secret.fill(0);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, copyBytes(content)));
  const digest = sequence([sequence([oidPart(OID.sha256), nullPart()]), octetStringPart(mac)]);
  return sequence([digest, octetStringPart(salt), integerPart(MAC_ITERATIONS)]);
}

/** Web Crypto requires bytes in an ArrayBuffer, not in shared memory. */
const copyBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
