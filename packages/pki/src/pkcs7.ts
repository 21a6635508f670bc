// Certificates in a PKCS #7 file: SignedData without content or signers (RFC 5652 §5.1, "certs-only"). Everything
// except the certificates is ignored.
import { assembleSignedData } from './cms/signed-data-builder.ts';
import { buildContentInfo, openContentInfo } from './cms/content-info.ts';
import { openDer } from './der/reader.ts';
import { OID } from './oids.ts';
import { readSignedObjects } from './cms/signed-data.ts';

/** Maximum number of certificates, far more than in any legitimate file within the upload limit. */
const MAX_CERTIFICATES = 10_000;

/** Returns a file with the certificates in the given order, which clients that read chains rely on. */
export function writePkcs7(certificates: readonly Uint8Array[]): Uint8Array {
  return buildContentInfo({
    contentType: OID.pkcs7SignedData,
    content: assembleSignedData({ certificates, signers: [] }),
  });
}

/** Returns the X.509 certificates from a PKCS #7 file (DER or BER), in DER and in file order. Throws `PkiError`. */
export function readPkcs7(file: Uint8Array): Uint8Array[] {
  const cursor = openDer(openContentInfo(file, OID.pkcs7SignedData));
  while (!cursor.atEnd) {
    const field = cursor.next();
    if (field.tag === 0xa0) return readSignedObjects(field, MAX_CERTIFICATES);
  }
  return [];
}
