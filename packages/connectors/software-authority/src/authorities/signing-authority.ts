// A CA that is ready to sign: its certificate, its key, its settings.
import { assembleCertificate, keyIdentifier, type Certificate, type SignatureAlgorithm } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { CaSource, CrlOnRevocation } from '../attributes/authority-attributes.ts';
import type { CaKey } from './ca-key.ts';

export interface SigningAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly source: CaSource;
  readonly certificate: Certificate;
  /** Certificates above, the issuer first. */
  readonly chain: readonly Uint8Array[];
  readonly key: CaKey;
  readonly algorithm: SignatureAlgorithm;
  /** The authority key identifier of certificates and CRLs (RFC 5280 §4.2.1.1). */
  readonly keyIdentifier: Uint8Array;
  /** The CA and those above it if one of them has name constraints (RFC 5280 §4.2.1.10). */
  readonly constrainedPath: readonly Certificate[] | undefined;
  readonly crlValidityMs: number;
  readonly deltaCrlValidityMs: number;
  readonly crlOnRevocation: CrlOnRevocation;
  /** Written into full CRLs (RFC 5280 §5.2.6). */
  readonly deltaCrlUrls: readonly string[];
  /** Distribution points over which the CRLs of new certificates are spread; 1 means none. */
  readonly crlShards: number;
  readonly createdAt: Date;
}

/** The subject key identifier of the certificate; if it has none, the usual hash of the key. */
export const keyIdentifierOf = (certificate: Certificate): Uint8Array =>
  certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKey, nodeCrypto.digest);

/** Signs with the key of an authority. */
export const signWith = (
  { key, algorithm }: Pick<SigningAuthority, 'key' | 'algorithm'>,
  data: Uint8Array,
): Promise<Uint8Array> => key.sign({ algorithm, data });

/** The certificate from octets that this authority signed. */
export const certificateOf = (
  authority: Pick<SigningAuthority, 'algorithm'>,
  signed: { readonly tbs: Uint8Array; readonly signature: Uint8Array },
): Uint8Array => assembleCertificate(signed.tbs, { algorithm: authority.algorithm, signature: signed.signature });
