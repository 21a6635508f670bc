// The chain of a certificate from the certificates at hand.
import { rejected } from '@signetry/connector-sdk';
import { equalBytes, formatNameRfc4514, isSignedBy, isPkiError, type Certificate } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import { LOCATION } from './location-form.ts';

/** Longer ones are mistakes, or circles. */
const MAX_CHAIN = 10;

/** The issuers from the nearest on, without the root (RFC 8446 §4.4.2). Refuses when the first one is missing. */
export function chainOf(certificate: Certificate, known: readonly Certificate[]): Certificate[] {
  const chain = knownChainOf(certificate, known);
  if (chain) return chain;
  throw rejected(
    `The chain cannot be made: the certificate of the issuer ${formatNameRfc4514(certificate.issuer)} is not known. Add it to the location, in "${LOCATION.issuers}".`,
  );
}

/** The same; undefined when the first one is missing. */
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
