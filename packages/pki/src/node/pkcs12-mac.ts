// MAC of a PKCS #12 file: the RFC 7292 scheme with its own key derivation, and PBMAC1 (RFC 9579).
import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivePkcs12, type Pkcs12Password } from './pkcs12-derivation.ts';
import { digestFromOid, readAlgorithm, type AlgorithmIdentifier } from '../algorithms.ts';
import { MAX_ITERATIONS, pbkdf2Bytes, readPbkdf2 } from './pbe.ts';
import { OID } from '../oids.ts';
import type { DerivationBudget } from './derivation-budget.ts';
import { openElement, readOctetString, readSmallInteger, type DerElement } from '../der/reader.ts';
import { PkiError } from '../errors.ts';
import { TAG } from '../der/tags.ts';

/**
 * Verifies a MacData element (RFC 7292 §4 or RFC 9579) over the content and returns the matching form of the password.
 * Throws `PkiError`: `wrong-password`, `unsupported-algorithm`, `bound-exceeded`.
 */
export async function verifyPkcs12Mac(
  element: DerElement,
  input: { content: Uint8Array; password: string; budget: DerivationBudget },
): Promise<Pkcs12Password> {
  const mac = readMac(element);
  const candidates: Pkcs12Password[] = input.password === '' ? ['', undefined] : [input.password];
  for (const password of candidates) if (await isMacValid(mac, { ...input, password })) return password;
  throw new PkiError('wrong-password', 'The PKCS #12 password is wrong, or the file is damaged.');
}

interface Mac {
  readonly algorithm: AlgorithmIdentifier;
  readonly expected: Uint8Array;
  readonly salt: Uint8Array;
  readonly iterations: number;
}

function readMac(element: DerElement): Mac {
  const cursor = openElement(element, TAG.sequence);
  const digestInfo = cursor.open(TAG.sequence);
  const algorithm = readAlgorithm(digestInfo.next());
  const expected = readOctetString(digestInfo.next());
  digestInfo.finish();
  const salt = readOctetString(cursor.next());
  const iterations = cursor.optional(TAG.integer);
  cursor.finish();
  return { algorithm, expected, salt, iterations: iterations === undefined ? 1 : readSmallInteger(iterations) };
}

interface Attempt {
  readonly content: Uint8Array;
  readonly password: Pkcs12Password;
  readonly budget: DerivationBudget;
}

async function isMacValid(mac: Mac, input: Attempt): Promise<boolean> {
  const { digest, key } =
    mac.algorithm.oid === OID.pbmac1 ? await derivePbmac1(mac.algorithm, input) : await deriveMacKey(mac, input);
  const actual = createHmac(digest, key).update(input.content).digest();
  key.fill(0);
  return actual.length === mac.expected.length && timingSafeEqual(actual, mac.expected);
}

interface MacKey {
  readonly digest: string;
  readonly key: Uint8Array;
}

const MAC_KEY_LENGTHS = { sha1: 20, sha224: 28, sha256: 32, sha384: 48, sha512: 64 } as const;

async function deriveMacKey(mac: Mac, { password, budget }: Attempt): Promise<MacKey> {
  const { algorithm, salt, iterations } = mac;
  const digest = digestFromOid(algorithm.oid);
  if (digest === undefined || !(digest in MAC_KEY_LENGTHS)) {
    throw new PkiError('unsupported-algorithm', `MAC digest ${algorithm.oid} is not supported.`);
  }
  if (iterations < 1 || iterations > MAX_ITERATIONS || salt.length > 1024) {
    throw new PkiError(
      'bound-exceeded',
      `The file requires ${iterations} iterations; the maximum is ${MAX_ITERATIONS}.`,
    );
  }
  budget.spend('pkcs12', iterations);
  const name = digest as keyof typeof MAC_KEY_LENGTHS; // The digest was checked above.
  const key = await derivePkcs12(password, {
    purpose: 3,
    salt,
    iterations,
    digest: name,
    length: MAC_KEY_LENGTHS[name],
  });
  return { digest: name, key };
}

/** Derives a PBMAC1 key (RFC 9579). The parameters specify both PBKDF2 and the HMAC. */
async function derivePbmac1(algorithm: AlgorithmIdentifier, { password, budget }: Attempt): Promise<MacKey> {
  if (algorithm.parameters === undefined)
    throw new PkiError('unsupported-algorithm', 'The PBMAC1 parameters are missing.');
  const cursor = openElement(algorithm.parameters, TAG.sequence);
  const derivation = readAlgorithm(cursor.next());
  const scheme = readAlgorithm(cursor.next());
  cursor.finish();
  const digest = new Map<string, string>([
    [OID.hmacWithSha256, 'sha256'],
    [OID.hmacWithSha384, 'sha384'],
    [OID.hmacWithSha512, 'sha512'],
  ]).get(scheme.oid);
  if (derivation.oid !== OID.pbkdf2 || derivation.parameters === undefined || digest === undefined) {
    throw new PkiError('unsupported-algorithm', 'The file uses PBMAC1 with an unsupported algorithm.');
  }
  const { salt, iterations, digest: prf, keyLength } = readPbkdf2(derivation.parameters);
  if (keyLength === undefined)
    throw new PkiError('unsupported-algorithm', 'PBMAC1 must specify its key length (RFC 9579 §5).');
  return { digest, key: await pbkdf2Bytes(password, { salt, iterations, digest: prf, keyLength, budget }) };
}
