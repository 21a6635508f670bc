// Certificate that clients use to encrypt SCEP requests, and that the platform uses to sign responses.
import type { CertificateUse } from '../signing-certificates/index.ts';

/** Clients encrypt requests to it with RSA key transport, the only method that all of them support (RFC 8894 §3.1). */
export const SCEP_CA: CertificateUse = { families: ['RSA'], decrypts: true };
