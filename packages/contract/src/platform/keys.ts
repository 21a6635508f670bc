// Keys as certificates show them.
import { z } from 'zod';
import { ComplianceStatus } from '../enums/compliance.ts';
import { KeyAlgorithm, KeyFormat, KeyState, KeyType, KeyUsage } from '../enums/keys.ts';
import { dateTime, int32 } from '../primitives.ts';
import { GroupDto } from './groups.ts';

/** One half of a key pair, or a secret key. */
export const KeyItemDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    creationTime: dateTime(),
    keyWrapperUuid: z.string(),
    tokenProfileUuid: z.string().optional(),
    tokenProfileName: z.string().optional(),
    tokenInstanceUuid: z.string().optional(),
    tokenInstanceName: z.string().optional(),
    owner: z.string().optional(),
    ownerUuid: z.string().optional(),
    groups: z.array(GroupDto).optional(),
    /** Number of objects that use the key. */
    associations: int32(),
    keyReferenceUuid: z.string().optional(),
    type: KeyType,
    keyAlgorithm: KeyAlgorithm,
    format: KeyFormat,
    length: int32(),
    usage: z.array(KeyUsage).optional(),
    enabled: z.boolean(),
    state: KeyState,
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'KeyItemDto' });
export type KeyItemDto = z.output<typeof KeyItemDto>;

export const KeyDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    creationTime: dateTime(),
    tokenProfileUuid: z.string().optional(),
    tokenProfileName: z.string().optional(),
    tokenInstanceUuid: z.string().optional(),
    tokenInstanceName: z.string().optional(),
    owner: z.string().optional(),
    ownerUuid: z.string().optional(),
    groups: z.array(GroupDto).optional(),
    items: z.array(KeyItemDto),
    /** Number of objects that use the key. */
    associations: int32(),
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'KeyDto' });
export type KeyDto = z.output<typeof KeyDto>;
