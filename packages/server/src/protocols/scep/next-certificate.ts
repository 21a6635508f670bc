// GetNextCACert (RFC 8894 §4.7): returns the successor of the SCEP RA certificate, so that devices know it in advance.
import {
  assembleSignedData,
  buildContentInfo,
  buildDegenerate,
  buildSignedAttributes,
  issuerAndSerialOf,
  OID,
} from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { SigningCertificate } from '../../areas/signing-certificates/index.ts';

/** Returns the next certificate with its issuers, signed with the current certificate, which devices trust. */
export async function nextCertificate(present: SigningCertificate, next: SigningCertificate): Promise<Uint8Array> {
  const content = buildDegenerate({ certificates: next.chain });
  const { algorithm, certificate, chain } = present;
  const signedAttributes = buildSignedAttributes({ content, algorithm, digest: nodeCrypto.digest });
  const signature = await present.sign(signedAttributes);
  const signed = assembleSignedData({
    content,
    certificates: chain.slice(0, 1),
    signers: [{ identifier: issuerAndSerialOf(certificate), algorithm, signature, signedAttributes }],
  });
  return buildContentInfo({ contentType: OID.pkcs7SignedData, content: signed });
}
