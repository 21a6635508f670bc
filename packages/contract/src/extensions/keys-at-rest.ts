// The keys that seal secrets in the database, and their rotation. Not part of the published interface.
import { z } from 'zod';
import { dateTime, int32, int64 } from '../primitives.ts';
import { operations } from '../operations.ts';

/** A sealing key. Its identifier tells nothing of the key itself. */
export const SealingKeyState = z
  .object({
    keyId: z.string(),
    /** Seals what is stored from now on. */
    current: z.boolean(),
    /** Something may be sealed with it: a start without it is refused. */
    needed: z.boolean(),
    /** Which key it is in the key file of the node that answered, counted from 1; absent when it is not there. */
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
    /** Values that were to be sealed anew when it began; values sealed anew so far. */
    total: int64(),
    done: int64(),
    startedAt: dateTime(),
    /** Absent while it is under way. */
    finishedAt: dateTime().optional(),
  })
  .meta({ id: 'KeyRotation' });
export type KeyRotation = z.output<typeof KeyRotation>;

export const KeysAtRest = z
  .object({
    /** Key file of the node that answered. */
    file: z.string(),
    keys: z.array(SealingKeyState),
    /** Nodes that run. */
    nodes: z.array(SealingNode),
    /** The newest rotation, if there was any. */
    rotation: KeyRotation.optional(),
  })
  .meta({ id: 'KeysAtRest' });
export type KeysAtRest = z.output<typeof KeysAtRest>;

export const KeyRotationRequest = z
  .object({
    /**
     * The key to change to, which every node has in its file; by default the one that is new there, or a key made now.
     */
    keyId: z
      .string()
      .regex(/^[0-9a-f]{8}$/, 'must be the identifier of a key, eight hexadecimal digits')
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
      summary: 'Change the sealing key and seal everything anew',
      body: KeyRotationRequest,
      success: { status: 202, body: KeysAtRest },
      errors: [400, 401, 403, 422, 500],
      access: { action: 'update' },
      audit: 'update',
    },
  },
);
