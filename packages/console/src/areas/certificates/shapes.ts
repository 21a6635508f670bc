// Certificates as the platform answers them.
import type { certificateOperations, OperationAnswer } from '@signetry/contract';

export type ListedCertificate = OperationAnswer<typeof certificateOperations.listCertificates>['certificates'][number];
export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;
