// Certificates as returned by the API. Members with defaults are optional because older platforms omit them.
import type { certificateOperations, certificateSearchOperations, OperationResponse } from '@signetry/contract';

export type CertificateDetail = OperationResponse<typeof certificateOperations.getCertificate>;

export type ListedCertificate = OperationResponse<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
