// The keys that encrypt secrets in the database, and their rotation. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int32, int64 } from '../primitives.ts';
import { operations } from '../operations.ts';

/** A sealing key. Its identifier reveals nothing about the key itself. */
export const SealingKeyState = z
  .object({
    keyId: z.string(),
    /** Whether the key is used to seal new values. */
    current: z.boolean(),
    /** Whether values may still be sealed with this key. If so, the platform does not start without it. */
    needed: z.boolean(),
    /** Position in the responding node's key file, starting at 1; absent if the file does not contain the key. */
    position: int32().optional(),
  })
  .meta({ id: 'SealingKeyState' });
export type SealingKeyState = z.output<typeof SealingKeyState>;

export const SealingNode = z
  .object({
    node: z.string(),
    seenAt: dateTime(),
    currentKeyId: z.string(),
    keyIds: z.array(z.string()),
  })
  .meta({ id: 'SealingNode' });
export type SealingNode = z.output<typeof SealingNode>;

export const KeyRotation = z
  .object({
    keyId: z.string(),
    /** Number of values to be resealed when the rotation started, and number of values resealed so far. */
    total: int64(),
    done: int64(),
    startedAt: dateTime(),
    /** Absent while the rotation is in progress. */
    finishedAt: dateTime().optional(),
  })
  .meta({ id: 'KeyRotation' });
export type KeyRotation = z.output<typeof KeyRotation>;

export const KeysAtRest = z
  .object({
    /** Key file of the node that responds to the request. */
    file: z.string(),
    keys: z.array(SealingKeyState),
    /** Running nodes. */
    nodes: z.array(SealingNode),
    /** The latest rotation, if any. */
    rotation: KeyRotation.optional(),
  })
  .meta({ id: 'KeysAtRest' });
export type KeysAtRest = z.output<typeof KeysAtRest>;

export const KeyRotationRequest = z
  .object({
    /**
     * The new key, which must be in the key file of every node. Default: the new key in the file or, if there is none,
     * a generated key.
     */
    keyId: z
      .string()
      .regex(/^[0-9a-f]{8}$/, 'must be a key identifier of eight hexadecimal digits')
      .optional(),
  })
  .meta({ id: 'KeyRotationRequest' });
export type KeyRotationRequest = z.output<typeof KeyRotationRequest>;

export const keysAtRestOperations = operations(
  { tag: 'Keys at rest', resource: 'settings', module: 'core', errors: [401, 403, 500] },
  {
    getKeysAtRest: {
      route: 'GET /x/v1/keysAtRest',
      summary: 'Get the state of the sealing keys',
      answer: KeysAtRest,
      access: { action: 'detail' },
    },
    rotateKeysAtRest: {
      route: 'POST /x/v1/keysAtRest/rotations',
      summary: 'Rotate the sealing key and reseal all secrets',
      body: KeyRotationRequest,
      success: { status: 202, body: KeysAtRest },
      errors: [400, 401, 403, 422, 500],
      access: { action: 'update' },
      audit: 'update',
    },
  },
);
