// Certificate to which SCEP requests are encrypted and with which responses are signed.
import type { CertificateUse } from '../signing-certificates/index.ts';

/** Clients encrypt to it with RSA key transport, the only method that all of them support (RFC 8894 §3.1). */
export const SCEP_CA: CertificateUse = { families: ['RSA'], decrypts: true };
