// Public entry point of @signetry/pki. It uses no Node.js modules and performs no I/O.
export * from './errors.ts';
export * from './bytes.ts';
export * from './hidden-characters.ts';
export * from './international-names.ts';
export * from './host-name-form.ts';
export * from './der/tags.ts';
export * from './der/reader.ts';
export * from './der/writer.ts';
export * from './base64.ts';
export * from './pem.ts';
export { LENIENT_FORM_TEXTS, utf16Text, withoutPadding, type LenientForm } from './file-formats.ts';
export * from './certificate-files.ts';
export * from './pkcs7.ts';
export * from './cms/content-info.ts';
export { issuerAndSerialOf, keyIdentifierOf, type CertificateIdentifier } from './cms/certificate-identifier.ts';
export {
  attributeValue,
  findSignerCertificate,
  parseSignedData,
  type AttributeSet,
  type SignedData,
  type SignerInfo,
} from './cms/signed-data.ts';
export * from './cms/signed-data-builder.ts';
export * from './cms/verify-signer.ts';
export * from './cms/cms-crypto.ts';
export {
  parseAuthEnvelopedData,
  parseEnvelopedData,
  type EnvelopedData,
  type Recipient,
} from './cms/enveloped-data.ts';
export * from './cms/open-envelope.ts';
export * from './cms/seal-envelope.ts';
export * from './cms/key-package.ts';
export * from './scep/attributes.ts';
export * from './scep/messages.ts';
export * from './est/csr-attributes.ts';
export * from './est/requested-contents.ts';
export * from './jks/jks.ts';
export * from './jks/key-protector.ts';
export { isOid } from './der/oid.ts';
export * from './oids.ts';
export * from './names.ts';
export * from './name-text.ts';
export * from './algorithms.ts';
export * from './crypto.ts';
export * from './keys.ts';
export * from './key-policy.ts';
export * from './x509/signed.ts';
export type { Attribute } from './x509/attributes.ts';
export * from './x509/ip-address.ts';
export * from './x509/general-names.ts';
export * from './x509/name-characters.ts';
export * from './x509/extensions.ts';
export * from './x509/certificate.ts';
export * from './x509/describe.ts';
export * from './x509/certificate-transparency.ts';
export type { ReadableForm, ReadableValue } from './readable/value.ts';
export * from './readable/extension.ts';
export * from './readable/certificate.ts';
export * from './x509/serial.ts';
export * from './x509/extension-parts.ts';
export * from './x509/builder.ts';
export * from './x509/alternative-signature.ts';
export * from './csr.ts';
export * from './crmf/password-mac.ts';
export * from './crmf/template.ts';
export * from './crmf/controls.ts';
export * from './crmf/encrypted-key.ts';
export * from './crmf/possession.ts';
export * from './crmf/request.ts';
export * from './crmf/requested-certificate.ts';
export * from './cmp/limits.ts';
export * from './cmp/status.ts';
export * from './cmp/info.ts';
export * from './cmp/header.ts';
export * from './cmp/body.ts';
export * from './cmp/body-builder.ts';
export * from './cmp/message.ts';
export * from './cmp/protection.ts';
export * from './cmp/certificate-hash.ts';
export * from './crl/reasons.ts';
export * from './crl/crl.ts';
export {
  changeEntries,
  changeEntriesInSlices,
  encodeEntries,
  joinEntries,
  NO_ENTRIES,
  type EntryChanges,
  type EntryList,
  type RevokedEntryInput,
} from './crl/entry-list.ts';
export * from './crl/builder.ts';
export * from './crl/entry-index.ts';
export { isInScope } from './crl/distribution.ts';
export * from './ocsp/cert-id.ts';
export * from './ocsp/request.ts';
export * from './ocsp/response.ts';
export * from './ocsp/verify.ts';
export * from './path/purposes.ts';
export * from './path/budget.ts';
export * from './path/work.ts';
export * from './path/validate.ts';
export * from './path/build.ts';
export * from './path/revocation.ts';
export * from './path/host-names.ts';

export * from './lint/lint.ts';
export * from './jose/jose-error.ts';
export * from './jose/strict-json.ts';
export { JWS_ALGORITHMS, type JwsAlgorithm } from './jose/jws-algorithms.ts';
export * from './jose/jwk.ts';
export * from './jose/jws.ts';
export * from './jose/jws-verify.ts';
