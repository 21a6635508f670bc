// Writing PKCS#12 files (RFC 7292): a private key, its certificate and the chain, protected by a password. Uses Web
// Crypto only, so that a browser can write one for a key that never leaves it. src/node reads them.
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
 * PBKDF2 iterations for each of the two encrypted parts: a tenth of a second in a browser. More would hinder password
 * guessing further, but the certificate loader of .NET refuses files with more than 300,000.
 */
const ENCRYPTION_ITERATIONS = 250_000;
/**
 * Iterations for the MAC, fifty times OpenSSL's default: password guessing uses the cheapest check, which is this one.
 * They take a tenth of a second, during which the page is blocked.
 */
const MAC_ITERATIONS = 100_000;
const SALT_LENGTH = 16;

export interface Pkcs12Input {
  /** PKCS#8 in DER. */
  readonly privateKey: Uint8Array;
  /** In DER. The certificate of the key first, then its issuers. */
  readonly chain: readonly Uint8Array[];
  /** The name that key stores display. */
  readonly friendlyName: string;
  readonly password: string;
}

/**
 * A PFX in DER (RFC 7292 §4): the certificates in one encrypted SafeContents, the key in a pkcs8ShroudedKeyBag, a MAC
 * with HMAC-SHA256 over both. Throws `PkiError` `bad-argument` for an empty password, which protects nothing and
 * which programs derive keys from differently, and for a chain without a certificate.
 */
export async function writePkcs12(input: Pkcs12Input): Promise<Uint8Array<ArrayBuffer>> {
  const { privateKey, chain, friendlyName, password } = input;
  const [leaf] = chain;
  if (password === '')
    throw new PkiError('bad-argument', 'A PKCS#12 file needs a password: without one, anyone could read the key.');
  if (!password.isWellFormed()) throw new PkiError('bad-argument', 'The password has an unpaired surrogate.');
  if (leaf === undefined) throw new PkiError('bad-argument', 'A PKCS#12 file needs the certificate of its key.');
  // Equal in the key and its certificate, so that readers know which belong together.
  const localKeyId = new Uint8Array(await crypto.subtle.digest('SHA-256', owned(leaf)));
  const names = bagAttributes(friendlyName, localKeyId);
  const certificates = await encryptWithPassword(
    encodeDer(sequence(chain.map((der) => certBag(der, der === leaf ? names : undefined)))),
    password,
  );
  const key = await encryptWithPassword(privateKey, password);
  const shrouded = bag(OID.pkcs12ShroudedKeyBag, sequence([key.algorithm, octetStringPart(key.data)]), names);
  // AuthenticatedSafe (§4.1): the order in which OpenSSL writes, certificates first.
  const content = encodeDer(sequence([encryptedInfo(certificates), dataInfo(encodeDer(sequence([shrouded])))]));
  return encodeDer(sequence([integerPart(3), dataInfo(content), await macData(content, password)]));
}

/** ContentInfo of type data (RFC 5652 §4). */
const dataInfo = (content: Uint8Array): DerNode =>
  sequence([oidPart(OID.pkcs7Data), explicitPart(0, octetStringPart(content))]);

/** ContentInfo of type encryptedData (RFC 5652 §8), which has version 0 as it has no further attributes. */
const encryptedInfo = ({ algorithm, data }: Encrypted): DerNode =>
  sequence([
    oidPart(OID.pkcs7EncryptedData),
    explicitPart(
      0,
      sequence([integerPart(0), sequence([oidPart(OID.pkcs7Data), algorithm, implicitPrimitive(0, data)])]),
    ),
  ]);

/** SafeBag (RFC 7292 §4.2). */
const bag = (type: string, value: DerPart, attributes: DerPart | undefined): DerNode =>
  sequence([oidPart(type), explicitPart(0, value), attributes]);

/** CertBag (RFC 7292 §4.2.3). */
const certBag = (der: Uint8Array, attributes: DerPart | undefined): DerNode =>
  bag(
    OID.pkcs12CertBag,
    sequence([oidPart(OID.pkcs9X509Certificate), explicitPart(0, octetStringPart(der))]),
    attributes,
  );

/** friendlyName and localKeyId (RFC 2985 §5.5.1, §5.5.2). */
const bagAttributes = (friendlyName: string, localKeyId: Uint8Array): DerNode =>
  setOf([
    sequence([oidPart(OID.friendlyName), setOf([primitive(TAG.bmpString, encodeUtf16(friendlyName))])]),
    sequence([oidPart(OID.localKeyId), setOf([octetStringPart(localKeyId)])]),
  ]);

interface Encrypted {
  readonly algorithm: DerPart;
  readonly data: Uint8Array;
}

/**
 * PBES2 (RFC 8018 §6.2) with PBKDF2, HMAC-SHA256 and AES-256-CBC; the padding is that of Web Crypto and RFC 5652 §6.3
 * alike.
 */
async function encryptWithPassword(plain: Uint8Array, password: string): Promise<Encrypted> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const iv = crypto.getRandomValues(new Uint8Array(16));
  const secret = await crypto.subtle.importKey('raw', owned(encodeUtf8(password)), 'PBKDF2', false, ['deriveKey']);
  const key = await crypto.subtle.deriveKey(
    { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ENCRYPTION_ITERATIONS },
    secret,
    { name: 'AES-CBC', length: 256 },
    false,
    ['encrypt'],
  );
  const data = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, key, owned(plain)));
  const prf = sequence([oidPart(OID.hmacWithSha256), nullPart()]);
  const derivation = sequence([
    oidPart(OID.pbkdf2),
    sequence([octetStringPart(salt), integerPart(ENCRYPTION_ITERATIONS), prf]),
  ]);
  const scheme = sequence([oidPart(OID.aes256Cbc), octetStringPart(iv)]);
  return { algorithm: sequence([oidPart(OID.pbes2), sequence([derivation, scheme])]), data };
}

/** MacData (RFC 7292 §4): HMAC-SHA256 over the contents, with the key of appendix B. */
async function macData(content: Uint8Array, password: string): Promise<DerNode> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_LENGTH));
  const secret = await deriveMacKey(password, { salt, iterations: MAC_ITERATIONS });
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  secret.fill(0);
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, owned(content)));
  const digest = sequence([sequence([oidPart(OID.sha256), nullPart()]), octetStringPart(mac)]);
  return sequence([digest, octetStringPart(salt), integerPart(MAC_ITERATIONS)]);
}

/** Web Crypto needs octets in an ArrayBuffer, not in shared memory. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);
