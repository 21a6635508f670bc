// Certificates as the platform answers them.
import type { certificateOperations, certificateSearchOperations, OperationAnswer } from '@signetry/contract';

export type ListedCertificate = OperationAnswer<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

/** What tells how a certificate is doing. */
export type JudgedCertificate = Pick<CertificateDetail, 'state' | 'validationStatus' | 'notBefore' | 'notAfter'>;
