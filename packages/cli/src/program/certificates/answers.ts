// Certificates as the interface returns them; members with defaults may be absent, as older platforms omit them.
import type { certificateOperations, OperationAnswer } from '@signetry/contract';

export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

export type CertificateListed = OperationAnswer<typeof certificateOperations.listCertificates>['certificates'][number];
