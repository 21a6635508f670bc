// CSRs as ACME clients create them, and invalid ones: any names, keys and extensions, and signatures that fail
// verification.
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  parseNameText,
  parsePublicKey,
  subjectAltNameExtension,
  writePem,
  type ExtensionInput,
  type GeneralName,
} from '@signetry/pki';
import { exportPublicKey, generateKeyPair, nodeCrypto, type KeyPair, type KeySpec } from '@signetry/pki/node';
import { altName } from './alpn-certificate.ts';
import type { KeyObject } from 'node:crypto';

export interface SigningRequestOptions {
  /** SANs: DNS names, and IP addresses as text. */
  readonly names?: readonly string[];
  /** SANs of other types. */
  readonly otherNames?: readonly GeneralName[];
  /** For further subject attributes, use `subject`. */
  readonly commonName?: string;
  /** RFC 4514 text, instead of `commonName`. */
  readonly subject?: string;
  /** Type of the generated key; default: P-256. */
  readonly keySpec?: KeySpec;
  /** An existing key. */
  readonly privateKey?: KeyObject;
  /** Extensions in addition to the SANs. */
  readonly extensions?: readonly ExtensionInput[];
  readonly challengePassword?: string;
  /** Signing key, instead of the key in the request. */
  readonly signedBy?: KeyObject;
  /** Flips the last bit of the signature. */
  readonly badSignature?: boolean;
}

export interface SigningRequest {
  readonly der: Uint8Array;
  readonly pem: string;
  readonly keys: KeyPair;
}

export async function makeSigningRequest(options: SigningRequestOptions = {}): Promise<SigningRequest> {
  const keys = await keysOf(options);
  const altNames = [...(options.names ?? []).map(altName), ...(options.otherNames ?? [])];
  const info = buildCertificationRequestInfo({
    subject: subjectOf(options),
    spki: keys.spki,
    extensions: [...(altNames.length > 0 ? [subjectAltNameExtension(altNames)] : []), ...(options.extensions ?? [])],
    ...(options.challengePassword !== undefined && { challengePassword: options.challengePassword }),
  });
  const signer = options.signedBy ?? keys.privateKey;
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(exportPublicKey(signer)));
  const signature = nodeCrypto.sign(signer, { algorithm, data: info });
  if (options.badSignature) signature[signature.length - 1]! ^= 1;
  const der = assembleCertificationRequest(info, { algorithm, signature });
  return { der, pem: writePem('CERTIFICATE REQUEST', der), keys };
}

async function keysOf({ privateKey, keySpec = 'P-256' }: SigningRequestOptions): Promise<KeyPair> {
  return privateKey === undefined ? await generateKeyPair(keySpec) : { privateKey, spki: exportPublicKey(privateKey) };
}

function subjectOf({ subject, commonName }: SigningRequestOptions): Uint8Array {
  if (subject !== undefined) return buildName(parseNameText(subject)).der;
  return buildName(commonName === undefined ? [] : [{ type: 'CN', value: commonName }]).der;
}
