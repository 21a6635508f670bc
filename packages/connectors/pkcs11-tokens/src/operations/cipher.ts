// Encryption and decryption. Public-key encryption is done in software; operations that need a private or secret key
// are done by the token.
import { constants, publicEncrypt } from 'node:crypto';
import {
  longestPlaintext,
  oaepDecode,
  oaepEncode,
  octetsOf,
  readCipherMechanism,
  rejected,
  type CipherMechanism,
} from '@signetry/connector-sdk';
import type {
  ProviderCipherDataRequestDto,
  ProviderDecryptDataResponseDto,
  ProviderEncryptDataResponseDto,
} from '@signetry/contract';
import { concatBytes, toBase64 } from '@signetry/pki';
import { referenceOf } from '../keys/key-rows.ts';
import type { KeyRow } from '../keys/key-store.ts';
import type { KeyParts } from '../keys/keys.ts';
import { CKG, CKM, CKO, CKZ_DATA_SPECIFIED, PARAMETERS } from '../module/constants.ts';
import type { CkMechanism } from '../module/cryptoki.ts';
import { isParameterRejection } from '../rejections.ts';
import type { TokenRow } from '../tokens/token-store.ts';
import { DIGESTS } from './digests.ts';
import { numbersOf } from './mechanism-numbers.ts';
import { publicKey } from './verify.ts';

interface Use {
  readonly token: TokenRow;
  readonly keyUuid: string;
}

/** 96 random bits, sufficient for 2^32 messages per key (NIST SP 800-38D §8.2.2). */
const NONCE_OCTETS = 12;
const TAG_OCTETS = 16;
/** Tokens process a message in one piece and have little memory. */
const LONGEST_MESSAGE = 1024 * 1024;

export async function encryptData(
  parts: KeyParts,
  { token, keyUuid }: Use,
  { cipherAttributes, cipherData }: ProviderCipherDataRequestDto,
): Promise<ProviderEncryptDataResponseDto> {
  return parts.turns.use(keyUuid, async () => {
    const key = await parts.find(token, keyUuid);
    const mechanism = readCipherMechanism(key.facts, cipherAttributes);
    const encryptedData = await Promise.all(
      cipherData.map(async (item) => {
        const octets = octetsOf(item.data);
        rejectLongData(key, mechanism, octets);
        return { ...item, data: toBase64(await encryptOctets(parts, { token, key, mechanism }, octets)) };
      }),
    );
    return { encryptedData };
  });
}

interface CipherCall {
  readonly token: TokenRow;
  readonly key: KeyRow;
  readonly mechanism: CipherMechanism;
}

function rejectLongData(key: KeyRow, mechanism: CipherMechanism, { length }: Uint8Array): void {
  const longest = Math.min(longestPlaintext(key.facts, mechanism), LONGEST_MESSAGE);
  if (length > longest)
    throw rejected(`Cannot encrypt ${length} bytes: this key and mechanism allow at most ${longest}.`);
}

async function encryptOctets(
  { access, randomBytes }: KeyParts,
  { token, key, mechanism }: CipherCall,
  data: Uint8Array,
): Promise<Uint8Array> {
  if (mechanism.kind !== 'aes-gcm') return encryptRsa(key, mechanism, data);
  const nonce = randomBytes(NONCE_OCTETS);
  const request = { key: referenceOf(key), mechanism: gcm(nonce), data, keyUuid: key.uuid };
  return concatBytes([nonce, Uint8Array.from(await access.call(token, 'encrypt', request))]);
}

function encryptRsa({ spki, label, facts }: KeyRow, mechanism: CipherMechanism, data: Uint8Array): Uint8Array {
  const key = spki && publicKey(spki);
  if (!key) throw rejected(`The public key of "${label}" is unknown.`);
  if (mechanism.kind !== 'rsa-oaep') return publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, data);
  const encoded = oaepEncode(data, mechanism, modulusOctets(facts));
  return publicEncrypt({ key, padding: constants.RSA_NO_PADDING }, encoded);
}

const modulusOctets = ({ bits }: KeyRow['facts']): number => Math.ceil(bits / 8);

export async function decryptData(
  parts: KeyParts,
  { token, keyUuid }: Use,
  { cipherAttributes, cipherData }: ProviderCipherDataRequestDto,
): Promise<ProviderDecryptDataResponseDto> {
  return parts.turns.use(keyUuid, async () => {
    const key = await parts.find(token, keyUuid);
    const mechanism = readCipherMechanism(key.facts, cipherAttributes, { decrypts: true });
    if (key.object_class === CKO.publicKey)
      throw rejected(`"${key.label}" is a public key. Use the private key of the pair to decrypt.`);
    const decryptedData = await Promise.all(
      cipherData.map(async (item) => ({
        ...item,
        data: toBase64(await decryptOctets(parts, { token, key, mechanism }, octetsOf(item.data))),
      })),
    );
    return { decryptedData };
  });
}

async function decryptOctets(parts: KeyParts, using: CipherCall, data: Uint8Array): Promise<Uint8Array> {
  const { token, key, mechanism } = using;
  if (mechanism.kind === 'rsa-oaep') return decryptOaep(parts, { ...using, mechanism }, data);
  const common = { key: referenceOf(key), keyUuid: key.uuid };
  if (mechanism.kind === 'rsa-pkcs1') {
    const request = { ...common, mechanism: { mechanism: CKM.rsaPkcs, parameter: null }, data };
    return Uint8Array.from(await parts.access.call(token, 'decrypt', request));
  }
  if (data.length < NONCE_OCTETS + TAG_OCTETS)
    throw rejected('AES-GCM data must contain a nonce of 12 bytes and a tag of 16 bytes.');
  if (data.length > LONGEST_MESSAGE + NONCE_OCTETS + TAG_OCTETS)
    throw rejected(`A message must not be longer than ${LONGEST_MESSAGE} bytes.`);
  const request = { ...common, mechanism: gcm(data.subarray(0, NONCE_OCTETS)), data: data.subarray(NONCE_OCTETS) };
  return Uint8Array.from(await parts.access.call(token, 'decrypt', request));
}

type Oaep = Extract<CipherMechanism, { kind: 'rsa-oaep' }>;

/**
 * Many tokens support OAEP only with SHA-1 but do not report this. In that case, the token performs only the RSA
 * operation, and OAEP is decoded here.
 */
async function decryptOaep(
  parts: KeyParts,
  { token, key, mechanism }: CipherCall & { readonly mechanism: Oaep },
  data: Uint8Array,
): Promise<Uint8Array> {
  const common = { key: referenceOf(key), keyUuid: key.uuid, data };
  const mechanisms = await numbersOf(parts, token);
  try {
    if (mechanisms.has(CKM.rsaPkcsOaep) || !mechanisms.has(CKM.rsaX509))
      return Uint8Array.from(await parts.access.call(token, 'decrypt', { ...common, mechanism: oaep(mechanism) }));
  } catch (error) {
    if (!isParameterRejection(error) || !mechanisms.has(CKM.rsaX509)) throw error;
  }
  const raw = { mechanism: CKM.rsaX509, parameter: null };
  const encoded = await parts.access.call(token, 'decrypt', { ...common, mechanism: raw });
  // Some tokens omit leading zeros.
  const whole = new Uint8Array(modulusOctets(key.facts));
  whole.set(encoded, whole.length - encoded.length);
  const plain = oaepDecode(whole, mechanism);
  if (!plain)
    throw rejected(
      `Token "${token.name}" rejected the call: the encrypted data cannot be decrypted with this key and mechanism.`,
    );
  return Uint8Array.from(plain);
}

const gcm = (nonce: Uint8Array): CkMechanism => ({
  mechanism: CKM.aesGcm,
  parameter: {
    type: PARAMETERS.aesGcm,
    iv: Uint8Array.from(nonce),
    ivBits: 8 * NONCE_OCTETS,
    aad: new Uint8Array(),
    tagBits: 8 * TAG_OCTETS,
  },
});

const oaep = ({ digest, mgfDigest }: Oaep): CkMechanism => ({
  mechanism: CKM.rsaPkcsOaep,
  parameter: {
    type: PARAMETERS.rsaOaep,
    hashAlg: digest === 'SHA-1' ? CKM.sha1 : DIGESTS[digest].mechanism,
    mgf: mgfDigest === 'SHA-1' ? CKG.mgf1Sha1 : DIGESTS[mgfDigest].mgf,
    source: CKZ_DATA_SPECIFIED,
  },
});
