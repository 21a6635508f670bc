// Keys of external account binding (RFC 8555 §7.3.4): an operator hands one out, and the client proves with it who it is when it
// makes an account. Not part of the published interface. The MAC key is shown once, when the key is made.
import { z } from 'zod';
import { dateTime, description, int32, uuid } from '../primitives.ts';
import { operation } from '../operation.ts';
import { uuidParam } from '../shared/objects.ts';

/** Can an account be made with the key? `used`: it was for one account, which exists. */
export const AcmeEabKeyState = z.enum(['usable', 'used', 'expired', 'revoked']).meta({ id: 'AcmeEabKeyState' });
export type AcmeEabKeyState = z.output<typeof AcmeEabKeyState>;

export const AcmeEabKey = z
  .object({
    uuid: z.string(),
    /** What clients send as `kid`. */
    keyId: z.string(),
    description: z.string().optional(),
    state: AcmeEabKeyState,
    /** False: for one account only. */
    reusable: z.boolean(),
    /** Accounts that were made with the key. */
    boundAccounts: int32(),
    createdAt: dateTime(),
    /** User name. */
    createdBy: z.string(),
    /** Absent for a key that does not expire. */
    expiresAt: dateTime().optional(),
    /** Absent for a key that was never used. */
    lastUsedAt: dateTime().optional(),
  })
  .meta({ id: 'AcmeEabKey' });
export type AcmeEabKey = z.output<typeof AcmeEabKey>;

export const AcmeEabKeyRequest = z
  .object({
    description: description().optional(),
    reusable: z.boolean().default(false),
    expiresAt: dateTime().optional(),
  })
  .meta({ id: 'AcmeEabKeyRequest' });
export type AcmeEabKeyRequest = z.output<typeof AcmeEabKeyRequest>;

/** A key just made; `macKey` is base64url, as ACME clients take it. */
export const IssuedAcmeEabKey = AcmeEabKey.extend({ macKey: z.string() }).meta({ id: 'IssuedAcmeEabKey' });
export type IssuedAcmeEabKey = z.output<typeof IssuedAcmeEabKey>;

const tag = 'ACME External Account Keys';
const audited = { module: 'protocols', resource: 'acmeProfiles' } as const;

export const acmeEabKeyOperations = {
  listAcmeEabKeys: operation({
    id: 'listAcmeEabKeys',
    summary: 'List external account keys of an ACME Profile',
    tag,
    method: 'GET',
    path: '/x/v1/acmeProfiles/{uuid}/eabKeys',
    params: uuidParam,
    success: { status: 200, body: z.array(AcmeEabKey) },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'detail', object: 'uuid' },
  }),
  createAcmeEabKey: operation({
    id: 'createAcmeEabKey',
    summary: 'Create an external account key',
    tag,
    method: 'POST',
    path: '/x/v1/acmeProfiles/{uuid}/eabKeys',
    params: uuidParam,
    body: AcmeEabKeyRequest,
    success: { status: 201, body: IssuedAcmeEabKey },
    errors: [400, 401, 403, 404, 422, 500],
    access: { resource: 'acmeProfiles', action: 'update', object: 'uuid' },
    audit: { ...audited, operation: 'add' },
  }),
  revokeAcmeEabKey: operation({
    id: 'revokeAcmeEabKey',
    summary: 'Revoke an external account key',
    tag,
    method: 'DELETE',
    path: '/x/v1/acmeProfiles/{uuid}/eabKeys/{keyUuid}',
    params: z.object({ uuid: uuid(), keyUuid: uuid() }),
    success: { status: 204 },
    errors: [400, 401, 403, 404, 500],
    access: { resource: 'acmeProfiles', action: 'update', object: 'uuid' },
    audit: { ...audited, operation: 'revoke' },
  }),
};
