// One step that creates what a SCEP profile needs: a software token, an RSA key, an RA profile, and the SCEP RA
// certificate. Not part of the published interface.
import { z } from 'zod';
import { connectorRuleErrors, operations } from '../operations.ts';
import { sightOf } from '../platform/referenced-objects.ts';
import { uuid } from '../primitives.ts';

export const ScepRaCertificateRequest = z
  .object({
    /** RA profile under which devices will get their certificates. Its authority issues the SCEP RA certificate. */
    raProfileUuid: uuid(),
  })
  .meta({ id: 'ScepRaCertificateRequest' });
export type ScepRaCertificateRequest = z.output<typeof ScepRaCertificateRequest>;

export const ScepRaCertificate = z
  .object({
    /** Value of `caCertificateUuid` in a SCEP profile. */
    certificateUuid: uuid(),
    /** SHA-256 of the certificate in lowercase hex, with which clients recognize it. */
    fingerprint: z.string(),
    /** False if a suitable certificate already existed, in which case nothing was created. */
    created: z.boolean(),
    /** Name of the new token. Absent if no token was created. */
    tokenName: z.string().optional(),
    /**
     * Code that activates the new token again after a user has deactivated it. It is shown only once; the token stays
     * active across restarts without it.
     */
    activationCode: z.string().optional(),
  })
  .meta({ id: 'ScepRaCertificate' });
export type ScepRaCertificate = z.output<typeof ScepRaCertificate>;

export const scepRaCertificateOperations = operations(
  { tag: 'SCEP RA Certificates', resource: 'scepProfiles', module: 'certificates', errors: connectorRuleErrors },
  {
    /**
     * Returns an existing certificate of the authority if a SCEP profile uses it or if the caller owns its key. The
     * token and the RA profile are shared by all certificates that this operation creates.
     */
    ensureScepRaCertificate: {
      route: 'POST /x/v1/scepRaCertificates',
      summary: 'Create a SCEP RA certificate with its token, key and RA Profile, unless one exists',
      body: ScepRaCertificateRequest,
      answer: ScepRaCertificate,
      access: { action: 'create' },
      also: [
        sightOf('raProfiles', 'raProfileUuid'),
        { resource: 'authorities', action: 'detail' },
        { resource: 'tokens', action: 'create' },
        { resource: 'tokens', action: 'detail' },
        { resource: 'tokens', action: 'activate' },
        { resource: 'tokenProfiles', action: 'create' },
        { resource: 'tokenProfiles', action: 'detail' },
        { resource: 'keys', action: 'create' },
        { resource: 'keys', action: 'sign' },
        { resource: 'raProfiles', action: 'create' },
        { resource: 'raProfiles', action: 'detail' },
        { resource: 'certificates', action: 'list' },
        { resource: 'certificates', action: 'issue' },
      ],
      audit: { module: 'certificates', resource: 'certificates', operation: 'issue' },
    },
  },
);
