// Keys and their items. A key pair is one key with two items; a secret key is one key with one item.
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

/** Members of a key and, in lists of key items, of each item. */
const ofKey = {
  description: z.string().optional(),
  creationTime: dateTime(),
  tokenProfileUuid: z.string().optional(),
  tokenProfileName: z.string().optional(),
  /** Absent if the token has been removed. */
  tokenInstanceUuid: z.string().optional(),
  tokenInstanceName: z.string().optional(),
  owner: z.string().optional(),
  ownerUuid: z.string().optional(),
  groups: z.array(GroupDto).optional(),
};

const ofItem = {
  /** Identifier of the key at the provider. */
  keyReferenceUuid: z.string().optional(),
  type: KeyType,
  keyAlgorithm: KeyAlgorithm,
  format: KeyFormat,
  /** Length in bits. */
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
    /** Name of the key; `name` is the name of the item. Not part of the published interface. */
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

/** `keyData` is the Base64 of the key data that can be disclosed: the encoding of a public key. */
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
    /** Attributes with which the key was created. */
    attributes: z.array(ResponseAttributeDto),
    items: z.array(KeyItemDetailDto),
    associations: z.array(KeyAssociationDto).optional(),
    complianceStatus: ComplianceStatus,
  })
  .meta({ id: 'KeyDetailDto' });
export type KeyDetailDto = z.output<typeof KeyDetailDto>;

/** A page of key items; the two halves of a key pair are separate items. */
export const CryptographicKeyResponseDto = z
  .object({ cryptographicKeys: z.array(KeyItemDto), ...pageTotals })
  .meta({ id: 'CryptographicKeyResponseDto' });
export type CryptographicKeyResponseDto = z.output<typeof CryptographicKeyResponseDto>;

export const KeyEventHistoryDto = z
  .object({
    uuid: z.string(),
    /** Identifier of the key item. */
    keyUuid: z.string(),
    created: dateTime(),
    createdBy: z.string(),
    event: KeyEvent,
    status: KeyEventStatus,
    message: z.string(),
    /** Values by name, each an object; a single value is its member `value`. */
    additionalInformation: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  })
  .meta({ id: 'KeyEventHistoryDto' });
export type KeyEventHistoryDto = z.output<typeof KeyEventHistoryDto>;
