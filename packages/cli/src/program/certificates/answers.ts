// Certificates as returned by the API. Members with defaults are optional because older platforms omit them.
import type { certificateOperations, certificateSearchOperations, OperationAnswer } from '@signetry/contract';

export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

export type CertificateListed = OperationAnswer<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
