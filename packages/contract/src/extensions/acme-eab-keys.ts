// Keys for external account binding (RFC 8555 §7.3.4): an operator issues a key, which the client uses to authenticate
// when it creates an account. Not part of the published interface. The MAC key is shown only once, on creation.
import { z } from 'zod';
import { dateTime, description, int32 } from '../primitives.ts';
import { AcmeNamePolicy } from '../shared/acme-name-policy.ts';
import { objectErrors, operations, ruleErrors } from '../operations.ts';

/**
 * Whether an account can be created with the key. `used`: the key was valid for a single account, which has been
 * created.
 */
export const AcmeEabKeyState = z.enum(['usable', 'used', 'expired', 'revoked']).meta({ id: 'AcmeEabKeyState' });
export type AcmeEabKeyState = z.output<typeof AcmeEabKeyState>;

export const AcmeEabKey = z
  .object({
    uuid: z.string(),
    /** Value that clients send as `kid`. */
    keyId: z.string(),
    description: z.string().optional(),
    state: AcmeEabKeyState,
    /** If false, the key can be used for one account only. */
    reusable: z.boolean(),
    /** Number of accounts created with the key. */
    boundAccounts: int32(),
    createdAt: dateTime(),
    /** Name of the user who created the key. */
    createdBy: z.string(),
    /** Absent for a key that does not expire. */
    expiresAt: dateTime().optional(),
    /** Absent if the key has never been used. */
    lastUsedAt: dateTime().optional(),
    /**
     * Names that accounts created with the key can order. If absent, they can order all names that the profile allows.
     */
    namePolicy: AcmeNamePolicy.optional(),
  })
  .meta({ id: 'AcmeEabKey' });
export type AcmeEabKey = z.output<typeof AcmeEabKey>;

export const AcmeEabKeyRequest = z
  .object({
    description: description().optional(),
    reusable: z.boolean().default(false),
    expiresAt: dateTime().optional(),
    /** Narrows the profile's name policy for accounts created with the key. Cannot be changed later. */
    namePolicy: AcmeNamePolicy.optional(),
  })
  .meta({ id: 'AcmeEabKeyRequest' });
export type AcmeEabKeyRequest = z.output<typeof AcmeEabKeyRequest>;

/** A newly created key; `macKey` is encoded in base64url, as ACME clients expect. */
export const IssuedAcmeEabKey = AcmeEabKey.extend({ macKey: z.string() }).meta({ id: 'IssuedAcmeEabKey' });
export type IssuedAcmeEabKey = z.output<typeof IssuedAcmeEabKey>;

export const acmeEabKeyOperations = operations(
  { tag: 'ACME External Account Keys', resource: 'acmeProfiles', module: 'protocols', errors: objectErrors },
  {
    listAcmeEabKeys: {
      route: 'GET /x/v1/acmeProfiles/{uuid}/eabKeys',
      summary: 'List the external account binding keys of an ACME profile',
      answer: z.array(AcmeEabKey),
      access: { action: 'detail', object: 'uuid' },
    },
    createAcmeEabKey: {
      route: 'POST /x/v1/acmeProfiles/{uuid}/eabKeys',
      summary: 'Create an external account binding key',
      body: AcmeEabKeyRequest,
      created: IssuedAcmeEabKey,
      errors: ruleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'add',
    },
    revokeAcmeEabKey: {
      route: 'DELETE /x/v1/acmeProfiles/{uuid}/eabKeys/{keyUuid}',
      summary: 'Revoke an external account binding key',
      access: { action: 'update', object: 'uuid' },
      audit: 'revoke',
    },
  },
);
