// Validates certificates: paths to trusted roots, revocation by CRL and OCSP, and the verdicts stored in the inventory.
// Owns: certificate_check, certificate_validation_run. Invariants: a verdict and the history entry for its change are
// stored in one transaction; external requests are bounded in time and size; a known revocation counts until a
// validation lifts it.
//
// - validate.ts: verdict about one certificate and its chain; verdict.ts contains the checks
// - validate-many.ts: the same for many certificates, in batches in a worker (evaluate-many.ts)
// - find-paths.ts, chain.ts: paths to the roots, from certificate bytes
// - external-sources.ts: CRLs, OCSP responders and issuers at the URLs in certificates
// - revocation-check.ts: their responses as a check; find-revocation.ts queries them for protocol servers
// - due-validations.ts, revalidate.ts, revalidate-below.ts, validation-runs.ts: when validations of many certificates
// run
// - record-verdicts.ts: stores verdicts
export { createValidationArea, type ValidationArea } from './area.ts';
export type { CertificateWork } from './certificate-work.ts';
export { buildChain, buildValidChains, isSelfSigned, mayHaveMultipleChains } from './chain.ts';
export type { Chain, IssuedEnd } from './chain.ts';
export type { FindRevocation } from './find-revocation.ts';
export { findAuthoritiesBelow } from './store-below.ts';
export { scheduleValidation } from './store-many.ts';
export { VALIDATION_BATCH_SIZE, type ValidateMany } from './validate-many.ts';
export type { Validator } from './validate.ts';
