// A CA that is ready to sign: certificate, key and settings.
import { assembleCertificate, keyIdentifier, type Certificate, type SignatureAlgorithm } from '@signetry/pki';
import { nodeCrypto } from '@signetry/pki/node';
import type { CaSource, CrlOnRevocation } from '../attributes/authority-attributes.ts';
import type { CaKey } from './ca-key.ts';

export interface SigningAuthority {
  readonly uuid: string;
  readonly name: string;
  readonly source: CaSource;
  readonly certificate: Certificate;
  /** Superior CA certificates, starting with the issuer. */
  readonly chain: readonly Uint8Array[];
  readonly key: CaKey;
  readonly algorithm: SignatureAlgorithm;
  /** Authority key identifier for certificates and CRLs (RFC 5280 §4.2.1.1). */
  readonly keyIdentifier: Uint8Array;
  /** The CA and its superior CAs, if any of them has name constraints (RFC 5280 §4.2.1.10). */
  readonly constrainedPath: readonly Certificate[] | undefined;
  readonly crlValidityMs: number;
  readonly deltaCrlValidityMs: number;
  readonly crlOnRevocation: CrlOnRevocation;
  /** Freshest CRL URLs in full CRLs (RFC 5280 §5.2.6). */
  readonly deltaCrlUrls: readonly string[];
  /** Number of CRL partitions for new certificates; 1 means that the CRL is not partitioned. */
  readonly crlShards: number;
  readonly createdAt: Date;
}

/** Returns the certificate's subject key identifier or, if it has none, the usual hash of the key. */
export const keyIdentifierOf = (certificate: Certificate): Uint8Array =>
  certificate.subjectKeyIdentifier ?? keyIdentifier(certificate.publicKey, nodeCrypto.digest);

/** Signs data with an authority's key. */
export const signWith = (
  { key, algorithm }: Pick<SigningAuthority, 'key' | 'algorithm'>,
  data: Uint8Array,
): Promise<Uint8Array> => key.sign({ algorithm, data });

/** Assembles a certificate from data signed by this authority. */
export const certificateOf = (
  authority: Pick<SigningAuthority, 'algorithm'>,
  signed: { readonly tbs: Uint8Array; readonly signature: Uint8Array },
): Uint8Array => assembleCertificate(signed.tbs, { algorithm: authority.algorithm, signature: signed.signature });
