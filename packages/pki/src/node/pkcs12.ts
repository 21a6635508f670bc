// Decoding of PKCS #12 files (RFC 7292) with a private key, its certificate and its chain, used to import an authority
// from another system.
import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { PkiError } from '../errors.ts';
import { equalBytes } from '../bytes.ts';
import { exportPublicKey } from './keys.ts';
import { parseCertificate, type Certificate } from '../x509/certificate.ts';
import { readPkcs12Bags, type Pkcs12Options } from './pkcs12-bags.ts';

export interface Pkcs12Key {
  readonly privateKey: KeyObject;
  readonly friendlyName: string | undefined;
  /** Hexadecimal; a key and its certificate have the same value. */
  readonly localKeyId: string | undefined;
}

export interface Pkcs12Certificate {
  readonly certificate: Certificate;
  readonly friendlyName: string | undefined;
  readonly localKeyId: string | undefined;
}

export interface Pkcs12Contents {
  readonly keys: readonly Pkcs12Key[];
  /** In file order. */
  readonly certificates: readonly Pkcs12Certificate[];
}

/**
 * Reads a PKCS #12 file in DER. Throws `PkiError`: `wrong-password` (the MAC does not match), `unsupported-algorithm`
 * with the algorithm (RC4, DES), `bound-exceeded` if the file requires too much key derivation, `DerError` for
 * malformed input. A file without a MAC is accepted if its encrypted parts can be decrypted.
 */
export async function readPkcs12(der: Uint8Array, options: Pkcs12Options): Promise<Pkcs12Contents> {
  const { keys, certificates } = await readPkcs12Bags(der, options);
  return {
    keys: keys.map(({ pkcs8, friendlyName, localKeyId }) => {
      const privateKey = importKey(pkcs8);
      pkcs8.fill(0);
      return { privateKey, friendlyName, localKeyId };
    }),
    certificates: certificates.map(({ certificate, friendlyName, localKeyId }) => ({
      certificate: parseCertificate(certificate),
      friendlyName,
      localKeyId,
    })),
  };
}

function importKey(pkcs8: Uint8Array): KeyObject {
  try {
    return createPrivateKey({
      key: Buffer.from(pkcs8.buffer, pkcs8.byteOffset, pkcs8.length),
      format: 'der',
      type: 'pkcs8',
    });
  } catch (cause) {
    throw new PkiError('bad-key', 'The PKCS #12 file contains a private key that is malformed or not supported.', {
      cause,
    });
  }
}

export interface Pkcs12Identity {
  readonly privateKey: KeyObject;
  /** The key's certificate first, then its issuers as far as the file contains them. */
  readonly chain: readonly Certificate[];
}

/**
 * Returns the only key in a file with its certificate and chain. Throws `PkiError` `bad-key` if the file has no key,
 * several keys, or no certificate for its key.
 */
export function pkcs12Identity(contents: Pkcs12Contents): Pkcs12Identity {
  const [entry, ...others] = contents.keys;
  if (entry === undefined || others.length > 0) {
    throw new PkiError(
      'bad-key',
      `The PKCS #12 file contains ${contents.keys.length} private keys; it must contain exactly one.`,
    );
  }
  const spki = exportPublicKey(entry.privateKey);
  const certificates = contents.certificates.map(({ certificate }) => certificate);
  let current = certificates.find((certificate) => equalBytes(certificate.spki, spki));
  if (current === undefined)
    throw new PkiError('bad-key', 'The PKCS #12 file does not contain a certificate for its private key.');
  const chain: Certificate[] = [];
  while (current !== undefined && !chain.includes(current)) {
    const last: Certificate = current;
    chain.push(last);
    current = last.isSelfIssued
      ? undefined
      : certificates.find((candidate) => equalBytes(candidate.subjectDer, last.issuerDer));
  }
  return { privateKey: entry.privateKey, chain };
}
