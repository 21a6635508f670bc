// Builds a certificate's chain from the available certificates.
import { rejected } from '@signetry/connector-sdk';
import { equalBytes, formatNameRfc4514, isSignedBy, isPkiError, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { LOCATION } from './location-form.ts';

/** Longer chains are mistakes or loops. */
const MAX_CHAIN = 10;

/** Returns the issuers, nearest first, without the root (RFC 8446 §4.4.2). Rejects if the first one is missing. */
export function chainOf(certificate: Certificate, known: readonly Certificate[]): Certificate[] {
  const chain = knownChainOf(certificate, known);
  if (chain) return chain;
  throw rejected(
    `Cannot build the chain: the certificate of the issuer ${formatNameRfc4514(certificate.issuer)} is not known. Add it to "${LOCATION.issuers}" of the location.`,
  );
}

/** Like `chainOf`, but returns undefined if the first issuer is missing. */
export function knownChainOf(certificate: Certificate, known: readonly Certificate[]): Certificate[] | undefined {
  const chain: Certificate[] = [];
  let current = certificate;
  while (!isSelfIssued(current) && chain.length < MAX_CHAIN) {
    const issuer = known.find((each) => isIssuedBy(current, each));
    if (!issuer) break;
    if (isSelfIssued(issuer)) return chain;
    chain.push(issuer);
    current = issuer;
  }
  return chain.length === 0 && !isSelfIssued(certificate) ? undefined : chain;
}

const isSelfIssued = ({ issuerDer, subjectDer }: Certificate): boolean => equalBytes(issuerDer, subjectDer);

function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (!equalBytes(certificate.issuerDer, issuer.subjectDer)) return false;
  try {
    return isSignedBy(certificate, { issuerSpki: issuer.spki, verify: nodeCrypto.verify });
  } catch (error) {
    if (isPkiError(error)) return false;
    throw error;
  }
}
