// Releases certificates that were revoked with the reason certificateHold. Not part of the published interface, which
// defines only the reason.
import { connectorErrors, operations } from '../operations.ts';
import { raProfileMembership } from '../platform/referenced-objects.ts';

export const certificateHoldOperations = operations(
  { tag: 'Certificate Hold', resource: 'certificates', module: 'certificates', errors: connectorErrors },
  {
    /**
     * Only for a certificate in the state `revoked` with the reason `certificateHold`; its state becomes `issued`
     * again.
     */
    releaseCertificate: {
      route: 'POST /x/v1/certificates/{uuid}/release',
      summary: 'Release a certificate from hold',
      access: { action: 'revoke', object: 'uuid' },
      also: [raProfileMembership],
      audit: 'revoke',
    },
  },
);
