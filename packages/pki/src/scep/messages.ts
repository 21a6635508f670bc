// SCEP messages (RFC 8894 §3): encrypted content, signed together with the attributes that describe it.
import { equalBytes } from '../bytes.ts';
import { buildContentInfo, openContentInfo } from '../cms/content-info.ts';
import { assembleSignedData, type SignerInput } from '../cms/signed-data-builder.ts';
import { findSignerCertificate, parseSignedData, type SignedData, type SignerInfo } from '../cms/signed-data.ts';
import { elementBytes, expectTag, openDer, readIntegerBytes } from '../der/reader.ts';
import { encodeDer, primitive, sequence } from '../der/writer.ts';
import { TAG } from '../der/tags.ts';
import { PkiError } from '../errors.ts';
import { OID } from '../oids.ts';
import type { Certificate } from '../x509/certificate.ts';
import type { Digest } from '../crypto.ts';
import { readScepAttributes, type ScepAttributes } from './attributes.ts';

export interface ScepMessage extends ScepAttributes {
  readonly signedData: SignedData;
  readonly signer: SignerInfo;
  /** The certificate that the message claims; the caller must check whether it is known. */
  readonly certificate: Certificate;
  /** EnvelopedData in a ContentInfo; `undefined` in responses without an envelope. */
  readonly envelope: Uint8Array | undefined;
}

/**
 * Reads a message without verifying its signature (see `verifySigner`). Throws `DerError`, and `PkiError` unless there
 * is exactly one signer, whose certificate is in the message.
 */
export function readScepMessage(octets: Uint8Array, digest: Digest): ScepMessage {
  const signedData = parseSignedData(openContentInfo(octets, OID.pkcs7SignedData));
  const [signer, ...others] = signedData.signers;
  if (signer === undefined || others.length > 0)
    throw new PkiError('bad-value', 'A SCEP message must have exactly one signer.');
  const certificate = findSignerCertificate(signedData, signer, digest);
  if (certificate === undefined)
    throw new PkiError('bad-value', "The SCEP message does not contain its signer's certificate (RFC 8894 §3.1).");
  const { content } = signedData;
  const envelope = content === undefined || content.length === 0 ? undefined : content;
  return { ...readScepAttributes(signer.signedAttributes), signedData, signer, certificate, envelope };
}

export interface NewScepMessage {
  /** EnvelopedData in a ContentInfo. */
  readonly envelope?: Uint8Array | undefined;
  readonly certificates: readonly Uint8Array[];
  readonly signer: SignerInput;
}

/** Assembles a message from a signature over attributes from `scepAttributes` and `buildSignedAttributes`. */
export const assembleScepMessage = ({ envelope, certificates, signer }: NewScepMessage): Uint8Array =>
  buildContentInfo({
    contentType: OID.pkcs7SignedData,
    content: assembleSignedData({ ...(envelope && { content: envelope }), certificates, signers: [signer] }),
  });

/** Content of a CertPoll message (RFC 8894 §3.3.3): encoded names. */
export interface IssuerAndSubject {
  readonly issuer: Uint8Array;
  readonly subject: Uint8Array;
}

/** Reads an IssuerAndSubject. Throws `DerError`. */
export function readIssuerAndSubject(der: Uint8Array): IssuerAndSubject {
  const cursor = openDer(der);
  const [issuer, subject] = [cursor.next(), cursor.next()];
  cursor.finish();
  expectTag(issuer, TAG.sequence);
  expectTag(subject, TAG.sequence);
  return { issuer: elementBytes(issuer), subject: elementBytes(subject) };
}

export const buildIssuerAndSubject = ({ issuer, subject }: IssuerAndSubject): Uint8Array =>
  encodeDer(sequence([issuer, subject]));

/** Content of GetCert and GetCRL messages (RFC 8894 §3.3.4, §3.3.5). */
export interface IssuerAndSerial {
  /** Encoded name. */
  readonly issuer: Uint8Array;
  /** Two's complement bytes. */
  readonly serialBytes: Uint8Array;
}

/** Reads an IssuerAndSerialNumber. Throws `DerError`. */
export function readIssuerAndSerialNumber(der: Uint8Array): IssuerAndSerial {
  const cursor = openDer(der);
  const issuer = cursor.next();
  expectTag(issuer, TAG.sequence);
  const serialBytes = readIntegerBytes(cursor.next());
  cursor.finish();
  return { issuer: elementBytes(issuer), serialBytes };
}

export const buildIssuerAndSerialNumber = ({ issuer, serialBytes }: IssuerAndSerial): Uint8Array =>
  encodeDer(sequence([issuer, primitive(TAG.integer, serialBytes)]));

/** Returns certificates and CRLs in a SignedData without signers (RFC 8894 §3.4), in a ContentInfo. */
export const buildDegenerate = (objects: {
  readonly certificates?: readonly Uint8Array[];
  readonly crls?: readonly Uint8Array[];
}): Uint8Array =>
  buildContentInfo({ contentType: OID.pkcs7SignedData, content: assembleSignedData({ ...objects, signers: [] }) });

/** Returns whether the message's signing certificate is self-signed for the key in its request (RFC 8894 §2.3). */
export const isSelfSignedFor = (certificate: Certificate, requestSpki: Uint8Array): boolean =>
  equalBytes(certificate.issuerDer, certificate.subjectDer) && equalBytes(certificate.publicKey.spki, requestSpki);
