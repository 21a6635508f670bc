// The certificate that requests are encrypted to and responses are signed with, as SCEP uses it.
import type { CertificateUse } from '../signing-certificates/index.ts';

/** Clients encrypt to it by RSA key transport, the only one that all of them know (RFC 8894 §3.1). */
export const SCEP_CA: CertificateUse = { families: ['RSA'], decrypts: true };
