// Credentials: secrets with which connectors authenticate to other systems, stored once and referenced by other
// objects.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { line, objectName, uuid } from '../primitives.ts';
import { RequestAttributeDto, ResponseAttributeDto } from '../shared/attributes.ts';
import { UuidDto, UuidList } from '../shared/objects.ts';
import { sightOf, sightOfCredentials } from './referenced-objects.ts';

export const CredentialDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    kind: z.string(),
    /** Secrets are omitted; a key store is returned by name only. */
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    enabled: z.boolean(),
    /** Absent if the connector has been removed. */
    connectorUuid: z.string().optional(),
    connectorName: z.string().optional(),
  })
  .meta({ id: 'CredentialDto' });
export type CredentialDto = z.output<typeof CredentialDto>;

export const CredentialRequestDto = z
  .object({
    name: objectName(),
    kind: line(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    connectorUuid: uuid(),
  })
  .meta({ id: 'CredentialRequestDto' });
export type CredentialRequestDto = z.output<typeof CredentialRequestDto>;

/** The attributes replace the previous ones. If a secret or key store is sent empty, the stored one is kept. */
export const CredentialUpdateRequestDto = z
  .object({
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
  })
  .meta({ id: 'CredentialUpdateRequestDto' });
export type CredentialUpdateRequestDto = z.output<typeof CredentialUpdateRequestDto>;

export const credentialOperations = operations(
  { tag: 'Credential Management', resource: 'credentials', module: 'core', errors: connectorErrors },
  {
    listCredentials: {
      route: 'GET /v1/credentials',
      summary: 'List Credentials',
      answer: z.array(CredentialDto),
      access: { action: 'list', filtered: true },
    },
    createCredential: {
      route: 'POST /v1/credentials',
      summary: 'Add Credential',
      body: CredentialRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create' },
      also: [sightOf('connectors', 'connectorUuid'), sightOfCredentials],
      audit: 'create',
    },
    getCredential: {
      route: 'GET /v1/credentials/{uuid}',
      summary: 'Get Credential details',
      answer: CredentialDto,
      access: { action: 'detail', object: 'uuid' },
    },
    editCredential: {
      route: 'PUT /v1/credentials/{uuid}',
      summary: 'Edit Credential',
      body: CredentialUpdateRequestDto,
      answer: CredentialDto,
      errors: connectorRuleErrors,
      access: { action: 'update', object: 'uuid' },
      audit: 'update',
      also: [sightOfCredentials],
    },
    deleteCredential: {
      route: 'DELETE /v1/credentials/{uuid}',
      summary: 'Delete Credential',
      errors: connectorRuleErrors,
      access: { action: 'delete', object: 'uuid' },
      audit: 'delete',
    },
    bulkDeleteCredential: {
      route: 'DELETE /v1/credentials',
      summary: 'Delete multiple Credentials',
      body: UuidList,
      errors: connectorRuleErrors,
      access: { action: 'delete' },
      audit: 'delete',
    },
    enableCredential: {
      route: 'PATCH /v1/credentials/{uuid}/enable',
      summary: 'Enable Credential',
      access: { action: 'enable', object: 'uuid' },
      audit: 'enable',
    },
    disableCredential: {
      route: 'PATCH /v1/credentials/{uuid}/disable',
      summary: 'Disable Credential',
      access: { action: 'enable', object: 'uuid' },
      audit: 'disable',
    },
  },
);
