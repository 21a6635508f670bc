// Validates certificates: paths to trusted roots, revocation by CRL and OCSP, and the verdicts that the inventory
// keeps. Owns: certificate_check, certificate_validation_run. Invariants: a verdict is stored with the history entry
// of its change, in one transaction; what is asked outside is bounded in time and size; a revocation that was learned
// counts until a validation lifts it.
//
// validate.ts              the verdict about one certificate and its chain; verdict.ts states it
// validate-many.ts         the same for many at once, in batches of a worker (judge-many.ts)
// find-paths.ts, chain.ts  paths to the roots, on the octets of the certificates
// outside.ts               CRLs, OCSP responders and issuers by the addresses in certificates
// revocation-check.ts      what they answer, as a check; find-revocation.ts asks for protocol servers
// due-validations.ts, revalidate.ts, revalidate-below.ts, validation-runs.ts   when many are validated
// record-verdicts.ts       writes verdicts
export { createValidationArea, type ValidationArea } from './area.ts';
export type { CertificateWork } from './certificate-work.ts';
export { buildChain, buildValidChains, isSelfSigned, mayHaveSeveralChains } from './chain.ts';
export type { Chain, IssuedEnd } from './chain.ts';
export type { FindRevocation } from './find-revocation.ts';
export { findAuthoritiesBelow } from './store-below.ts';
export { makeValidationsDue } from './store-many.ts';
export { VALIDATION_BATCH_SIZE, type ValidateMany } from './validate-many.ts';
export type { Validator } from './validate.ts';
