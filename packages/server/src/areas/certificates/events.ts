// Events of certificates; subscribers get them as jobs after the commit.

import '../../platform/events/outbox.ts';

declare module '../../platform/events/outbox.ts' {
  interface EventPayloads {
    certificate_issued: { certificateUuid: string; raProfileUuid: string };
    certificate_revoked: {
      certificateUuid: string;
      raProfileUuid: string | null;
      issuerCertificateUuid: string | null;
    };
  }
}
