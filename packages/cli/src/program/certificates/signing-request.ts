// Creates CSRs (PKCS #10) for a new key pair, or reads them from a file.
import { readFile } from 'node:fs/promises';
import {
  assembleCertificationRequest,
  buildCertificationRequestInfo,
  buildName,
  defaultSignatureAlgorithm,
  isPkiError,
  parsePublicKey,
  readCertificationRequest,
  subjectAltNameExtension,
  verifyCertificationRequest,
} from '@signetry/pki';
import { exportPrivateKeyPem, generateKeyPair, nodeCrypto, type KeySpec } from '@signetry/pki/node';
import { CliFailure, messageOf } from '../failures.ts';
import { commonNameOf, type RequestedName } from './names.ts';

export interface SigningRequest {
  readonly der: Uint8Array;
  /** SubjectPublicKeyInfo that the certificate must contain. */
  readonly spki: Uint8Array;
}

export interface NewSigningRequest extends SigningRequest {
  readonly keyPem: string;
}

export async function createSigningRequest(
  names: readonly RequestedName[],
  keySpec: KeySpec,
): Promise<NewSigningRequest> {
  const { privateKey, spki } = await generateKeyPair(keySpec);
  const commonName = commonNameOf(names);
  const info = buildCertificationRequestInfo({
    subject: buildName(commonName === undefined ? [] : [{ type: 'CN', value: commonName }]),
    spki,
    // The SAN extension is critical if the subject is empty (RFC 5280 §4.2.1.6).
    extensions: [
      subjectAltNameExtension(
        names.map(({ altName }) => altName),
        commonName === undefined,
      ),
    ],
  });
  const algorithm = defaultSignatureAlgorithm(parsePublicKey(spki));
  const signature = await nodeCrypto.signAsync(privateKey, { algorithm, data: info });
  return {
    der: assembleCertificationRequest(info, { algorithm, signature }),
    spki,
    keyPem: await exportPrivateKeyPem(privateKey),
  };
}

/** Reads a CSR in PEM or DER and verifies its signature, to report mistakes before the platform is called. */
export async function readSigningRequest(path: string): Promise<SigningRequest> {
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new CliFailure(`Cannot read the --csr file: ${messageOf(error)}`, { cause: error });
  });
  try {
    const request = readCertificationRequest(new Uint8Array(bytes));
    if (verifyCertificationRequest(request, nodeCrypto.verify))
      return { der: request.der, spki: request.publicKey.spki };
  } catch (error) {
    if (!isPkiError(error)) throw error;
    throw new CliFailure(`--csr: ${path} is not a CSR: ${error.message}`, { cause: error });
  }
  throw new CliFailure(`--csr: the signature of ${path} does not verify with the public key in the CSR.`);
}
