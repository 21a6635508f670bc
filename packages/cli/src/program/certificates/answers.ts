// Certificates as the interface answers them; members with defaults may be absent, as older platforms leave them out.
import type { certificateOperations, OperationAnswer } from '@signetry/contract';

export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

export type CertificateListed = OperationAnswer<typeof certificateOperations.listCertificates>['certificates'][number];
