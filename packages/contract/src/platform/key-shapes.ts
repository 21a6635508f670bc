// Keys and their items. A key pair is one key of two items, a secret key one of one.
import { z } from 'zod';
import { ComplianceStatus } from '../enums/compliance.ts';
import {
  KeyAlgorithm,
  KeyCompromiseReason,
  KeyEvent,
  KeyEventStatus,
  KeyFormat,
  KeyState,
  KeyType,
  KeyUsage,
} from '../enums/keys.ts';
import { dateTime, int32 } from '../primitives.ts';
import { MetadataResponseDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { pageTotals } from '../shared/paging.ts';
import { GroupDto } from './groups.ts';
import { Resource } from './resource.ts';

/** Of a key and, in lists of items, of each of them. */
const ofKey = {
  description: z.string().optional(),
  creationTime: dateTime(),
  tokenProfileUuid: z.string().optional(),
  tokenProfileName: z.string().optional(),
  /** Absent when the token has been removed. */
  tokenInstanceUuid: z.string().optional(),
  tokenInstanceName: z.string().optional(),
  owner: z.string().optional(),
  ownerUuid: z.string().optional(),
  groups: z.array(GroupDto).optional(),
};

const ofItem = {
  /** Of the key at the provider. */
  keyReferenceUuid: z.string().optional(),
  type: KeyType,
  keyAlgorithm: KeyAlgorithm,
  format: KeyFormat,
  /** In bits. */
  length: int32(),
  usage: z.array(KeyUsage).optional(),
  enabled: z.boolean(),
  state: KeyState,
  complianceStatus: ComplianceStatus,
};

/** One half of a key pair, or a secret key. */
export const KeyItemDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    ...ofKey,
    keyWrapperUuid: z.string(),
    /** Of the key; `name` is that of the item. Beyond the published interface. */
    keyName: z.string(),
    /** Number of objects that use the key. */
    associations: int32(),
    ...ofItem,
  })
  .meta({ id: 'KeyItemDto' });
export type KeyItemDto = z.output<typeof KeyItemDto>;

export const KeyDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    ...ofKey,
    items: z.array(KeyItemDto),
    /** Number of objects that use the key. */
    associations: int32(),
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'KeyDto' });
export type KeyDto = z.output<typeof KeyDto>;

/** `keyData` is Base64 of what may be known of the key: of public keys, their encoding. */
export const KeyItemDetailDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    ...ofItem,
    keyData: z.string().optional(),
    metadata: z.array(MetadataResponseDto).optional(),
    /** Why the key is compromised. */
    reason: KeyCompromiseReason.optional(),
  })
  .meta({ id: 'KeyItemDetailDto' });
export type KeyItemDetailDto = z.output<typeof KeyItemDetailDto>;

/** An object that uses the key. */
export const KeyAssociationDto = z
  .object({ uuid: z.string(), name: z.string(), resource: Resource })
  .meta({ id: 'KeyAssociationDto' });
export type KeyAssociationDto = z.output<typeof KeyAssociationDto>;

export const KeyDetailDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    ...ofKey,
    customAttributes: z.array(ResponseAttributeDto).optional(),
    /** What the key was made with. */
    attributes: z.array(ResponseAttributeDto),
    items: z.array(KeyItemDetailDto),
    associations: z.array(KeyAssociationDto).optional(),
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'KeyDetailDto' });
export type KeyDetailDto = z.output<typeof KeyDetailDto>;

/** A page of items: the keys of a pair stand in it each for itself. */
export const CryptographicKeyResponseDto = z
  .object({ cryptographicKeys: z.array(KeyItemDto), ...pageTotals })
  .meta({ id: 'CryptographicKeyResponseDto' });
export type CryptographicKeyResponseDto = z.output<typeof CryptographicKeyResponseDto>;

export const KeyEventHistoryDto = z
  .object({
    uuid: z.string(),
    /** Of the item. */
    keyUuid: z.string(),
    created: dateTime(),
    createdBy: z.string(),
    event: KeyEvent,
    status: KeyEventStatus,
    message: z.string(),
    additionalInformation: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'KeyEventHistoryDto' });
export type KeyEventHistoryDto = z.output<typeof KeyEventHistoryDto>;
