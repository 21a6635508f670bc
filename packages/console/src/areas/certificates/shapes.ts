// Certificates as returned by the platform.
import type {
  certificateLineageOperations,
  certificateOperations,
  certificateSearchOperations,
  OperationResponse,
} from '@signetry/contract';

export type ListedCertificate = OperationResponse<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
export type CertificateLineage = OperationResponse<typeof certificateLineageOperations.getCertificateLineage>;
export type LineageCertificate = CertificateLineage['certificates'][number];
export type CertificateDetail = OperationResponse<typeof certificateOperations.getCertificate>;

/** The members that determine the displayed state of a certificate. */
export type EvaluatedCertificate = Pick<
  CertificateDetail,
  'state' | 'validationStatus' | 'isTrustMissing' | 'notBefore' | 'notAfter'
>;
