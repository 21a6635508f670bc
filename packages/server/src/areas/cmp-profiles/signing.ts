// The certificate that responses are signed with, as CMP uses it.
import type { CertificateUse } from '../signing-certificates/index.ts';

export const CMP_SIGNING: CertificateUse = { families: ['RSA', 'ECDSA'] };
