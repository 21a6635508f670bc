// Certificates as returned by the platform.
import type {
  certificateLineageOperations,
  certificateOperations,
  certificateSearchOperations,
  OperationAnswer,
} from '@signetry/contract';

export type ListedCertificate = OperationAnswer<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
export type CertificateLineage = OperationAnswer<typeof certificateLineageOperations.getCertificateLineage>;
export type LineageCertificate = CertificateLineage['certificates'][number];
export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

/** The members that determine the displayed state of a certificate. */
export type JudgedCertificate = Pick<
  CertificateDetail,
  'state' | 'validationStatus' | 'isTrustMissing' | 'notBefore' | 'notAfter'
>;
