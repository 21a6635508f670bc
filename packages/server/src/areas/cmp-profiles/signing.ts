// The certificate that signs CMP responses.
import type { CertificateUse } from '../signing-certificates/index.ts';

export const CMP_SIGNING: CertificateUse = { families: ['RSA', 'ECDSA'] };
