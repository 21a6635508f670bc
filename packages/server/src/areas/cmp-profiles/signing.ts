// Certificate that signs responses, as used by CMP.
import type { CertificateUse } from '../signing-certificates/index.ts';

export const CMP_SIGNING: CertificateUse = { families: ['RSA', 'ECDSA'] };
