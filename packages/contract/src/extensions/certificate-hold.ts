// Releasing a certificate that was revoked with the reason certificateHold. Not part of the published interface, which
// has the reason only.
import { connectorErrors, operations } from '../operations.ts';
import { memberOfItsRaProfile } from '../platform/second-objects.ts';

export const certificateHoldOperations = operations(
  { tag: 'Certificate Hold', resource: 'certificates', module: 'certificates', errors: connectorErrors },
  {
    /** Only for a certificate in state `revoked` with the reason `certificateHold`; it is `issued` again. */
    releaseCertificate: {
      route: 'POST /x/v1/certificates/{uuid}/release',
      summary: 'Release a certificate from hold',
      access: { action: 'revoke', object: 'uuid' },
      also: [memberOfItsRaProfile],
      audit: 'revoke',
    },
  },
);
