// Certificates as the interface returns them; members with defaults may be absent, as older platforms omit them.
import type { certificateOperations, certificateSearchOperations, OperationAnswer } from '@signetry/contract';

export type CertificateDetail = OperationAnswer<typeof certificateOperations.getCertificate>;

export type CertificateListed = OperationAnswer<
  typeof certificateSearchOperations.searchCertificates
>['certificates'][number];
