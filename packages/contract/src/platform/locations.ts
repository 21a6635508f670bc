// Locations: the places in entities that hold certificates, such as a key store or a server's files.
import { z } from 'zod';
import { CertificateState, CertificateValidationStatus } from '../enums/certificates.ts';
import type { AdditionalPermission } from '../operation.ts';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { description, objectName, uuid } from '../primitives.ts';
import {
  BaseAttributeDto,
  MetadataResponseDto,
  RequestAttributeDto,
  ResponseAttributeDto,
} from '../shared/attributes.ts';
import { UuidDto } from '../shared/objects.ts';
import { pageTotals } from '../shared/paging.ts';
import { SearchFieldDataByGroupDto, SearchRequestDto } from '../shared/search.ts';
import type { Action } from './resource-actions.ts';
import { raProfileMembership, sightOf, sightOfCredentials } from './referenced-objects.ts';

/**
 * `waiting`: will be pushed once it is issued and the location is enabled. `pushing`: sent to the provider, which has
 * not responded yet. `installed`: in the location, according to the provider. `served`: seen at the endpoint.
 * `replaced`: a different certificate is in the location; this certificate is restored if the new one is not served.
 * `notServed`: not seen at the endpoint in time. `failed`: not accepted by the provider.
 */
export const DeploymentState = z
  .enum(['waiting', 'pushing', 'installed', 'served', 'replaced', 'notServed', 'failed'])
  .meta({ id: 'DeploymentState' });
export type DeploymentState = z.output<typeof DeploymentState>;

export const CertificateInLocationDto = z
  .object({
    certificateUuid: z.string(),
    state: CertificateState,
    validationStatus: CertificateValidationStatus,
    commonName: z.string(),
    serialNumber: z.string(),
    metadata: z.array(MetadataResponseDto).optional(),
    pushAttributes: z.array(ResponseAttributeDto).optional(),
    csrAttributes: z.array(ResponseAttributeDto).optional(),
    withKey: z.boolean().default(false),
    /** Deployment state of the certificate in the location. Not part of the published interface. */
    deployment: DeploymentState.optional(),
  })
  .meta({ id: 'CertificateInLocationDto' });
export type CertificateInLocationDto = z.output<typeof CertificateInLocationDto>;

/**
 * State of a location's certificates. If they have different states, the most urgent one applies, in this order.
 * `failed`: the provider did not accept a certificate that the location should hold. `notServed`: a certificate was not
 * seen at the endpoint in time. `unreadable`: the last attempt to read the contents failed, at least in part.
 * `waiting`: a certificate is being deployed, or its endpoint is being probed. `installed`: all certificates are in the
 * location, according to the provider. `served`: all certificates were seen at the endpoint. `empty`: the location
 * holds no certificates. If a location can hold only one certificate, failed deployments no longer count once a later
 * certificate is installed.
 */
export const LocationState = z
  .enum(['failed', 'notServed', 'unreadable', 'waiting', 'installed', 'served', 'empty'])
  .meta({ id: 'LocationState' });
export type LocationState = z.output<typeof LocationState>;

export const LocationDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    description: z.string().optional(),
    entityInstanceUuid: z.string(),
    entityInstanceName: z.string(),
    attributes: z.array(ResponseAttributeDto),
    customAttributes: z.array(ResponseAttributeDto).optional(),
    enabled: z.boolean(),
    /** Not part of the published interface. */
    state: LocationState.optional(),
    supportMultipleEntries: z.boolean().default(false),
    supportKeyManagement: z.boolean().default(false),
    certificates: z.array(CertificateInLocationDto),
    metadata: z.array(MetadataResponseDto).optional(),
  })
  .meta({ id: 'LocationDto' });
export type LocationDto = z.output<typeof LocationDto>;

export const LocationsResponseDto = z
  .object({ ...pageTotals, locations: z.array(LocationDto) })
  .meta({ id: 'LocationsResponseDto' });
export type LocationsResponseDto = z.output<typeof LocationsResponseDto>;

export const AddLocationRequestDto = z
  .object({
    name: objectName(),
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().default(false),
  })
  .meta({ id: 'AddLocationRequestDto' });
export type AddLocationRequestDto = z.output<typeof AddLocationRequestDto>;

/** If a secret is sent empty or `enabled` is absent, the current value is kept. */
export const EditLocationRequestDto = z
  .object({
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'EditLocationRequestDto' });
export type EditLocationRequestDto = z.output<typeof EditLocationRequestDto>;

/** Whether to replace the current certificate in a location that can hold only one. */
const replace = { /** Not part of the published interface. */ replace: z.boolean().default(false) };

export const PushToLocationRequestDto = z
  .object({ attributes: z.array(RequestAttributeDto), ...replace })
  .meta({ id: 'PushToLocationRequestDto' });
export type PushToLocationRequestDto = z.output<typeof PushToLocationRequestDto>;

/** `customAttributes` and `certificateCustomAttributes` both apply to the certificate; the latter take precedence. */
export const IssueToLocationRequestDto = z
  .object({
    raProfileUuid: uuid(),
    csrAttributes: z.array(RequestAttributeDto),
    issueAttributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    certificateCustomAttributes: z.array(RequestAttributeDto).optional(),
    ...replace,
  })
  .meta({ id: 'IssueToLocationRequestDto' });
export type IssueToLocationRequestDto = z.output<typeof IssueToLocationRequestDto>;

const entity = { resource: 'entities', action: 'detail', object: 'entityUuid' } as const;

/** Permission on the location, and permission to see its entity. */
export const locationPermission = <const Name extends Action>(action: Name) =>
  ({ action, object: 'locationUuid', parent: entity }) as const;
const form = { action: 'ANY', object: 'locationUuid', parent: { ...entity, action: 'ANY' } } as const;
const listErrors = [400, 401, 403, 500, 502, 503] as const;
const certificatePermissions = (action: Action): readonly AdditionalPermission[] => [
  { resource: 'certificates', action, object: 'certificateUuid' },
  raProfileMembership,
];
const issuing: readonly AdditionalPermission[] = [
  sightOf('raProfiles', 'raProfileUuid'),
  { resource: 'certificates', action: 'create' },
  { resource: 'certificates', action: 'issue' },
  sightOfCredentials,
];

export const locationOperations = operations(
  { tag: 'Location Management', resource: 'locations', module: 'entities', errors: connectorErrors },
  {
    listLocations: {
      route: 'POST /v1/locations',
      summary: 'List Locations',
      body: SearchRequestDto,
      answer: LocationsResponseDto,
      errors: listErrors,
      access: { action: 'list', filtered: true, parent: { resource: 'entities', action: 'list', filtered: true } },
    },
    getLocationSearchFields: {
      route: 'GET /v1/locations/search',
      id: 'getSearchableFieldInformation_LocationManagement',
      summary: 'Get Locations searchable fields information',
      answer: z.array(SearchFieldDataByGroupDto),
      errors: listErrors,
      access: { action: 'list', filtered: true },
    },
    /** Reads the contents of the location immediately. Certificates missing from the inventory are added. */
    addLocation: {
      route: 'POST /v1/entities/{entityUuid}/locations',
      summary: 'Add Location',
      body: AddLocationRequestDto,
      created: UuidDto,
      errors: connectorRuleErrors,
      access: { action: 'create', parent: entity },
      also: [sightOfCredentials],
      audit: 'create',
    },
    getLocation: {
      route: 'GET /v1/entities/{entityUuid}/locations/{locationUuid}',
      summary: 'Get Location Details',
      answer: LocationDto,
      access: locationPermission('detail'),
    },
    editLocation: {
      route: 'PUT /v1/entities/{entityUuid}/locations/{locationUuid}',
      summary: 'Edit Location',
      body: EditLocationRequestDto,
      answer: LocationDto,
      errors: connectorRuleErrors,
      access: locationPermission('update'),
      also: [sightOfCredentials],
      audit: 'update',
    },
    /** The certificates remain in the location; only their links to it are removed from the platform. */
    deleteLocation: {
      route: 'DELETE /v1/entities/{entityUuid}/locations/{locationUuid}',
      summary: 'Delete Location',
      access: locationPermission('delete'),
      audit: 'delete',
    },
    enableLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/enable',
      summary: 'Enable Location',
      access: locationPermission('enable'),
      audit: 'enable',
    },
    disableLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/disable',
      summary: 'Disable Location',
      access: locationPermission('enable'),
      audit: 'disable',
    },
    listPushAttributes: {
      route: 'GET /v1/entities/{entityUuid}/locations/{locationUuid}/attributes/push',
      summary: 'Get push Attributes',
      answer: z.array(BaseAttributeDto),
      access: form,
    },
    listCsrAttributes: {
      route: 'GET /v1/entities/{entityUuid}/locations/{locationUuid}/attributes/issue',
      summary: 'Get CSR Attributes',
      answer: z.array(BaseAttributeDto),
      access: form,
    },
    pushCertificate: {
      route: 'PUT /v1/entities/{entityUuid}/locations/{locationUuid}/certificates/{certificateUuid}',
      summary: 'Push Certificate to Location',
      body: PushToLocationRequestDto,
      answer: LocationDto,
      access: locationPermission('update'),
      also: certificatePermissions('detail'),
      audit: 'pushToLocation',
    },
    issueCertificateToLocation: {
      route: 'POST /v1/entities/{entityUuid}/locations/{locationUuid}/certificates',
      summary: 'Issue Certificate to Location',
      body: IssueToLocationRequestDto,
      answer: LocationDto,
      access: locationPermission('update'),
      also: issuing,
      audit: 'issueInLocation',
    },
    renewCertificateInLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/certificates/{certificateUuid}',
      summary: 'Renew Certificate in Location',
      answer: LocationDto,
      access: locationPermission('update'),
      also: certificatePermissions('renew'),
      audit: 'renewInLocation',
    },
    removeCertificateFromLocation: {
      route: 'DELETE /v1/entities/{entityUuid}/locations/{locationUuid}/certificates/{certificateUuid}',
      id: 'removeCertificate',
      summary: 'Remove Certificate from Location',
      answer: LocationDto,
      access: locationPermission('update'),
      also: certificatePermissions('detail'),
      audit: 'removeFromLocation',
    },
    /** Reads the contents of the location again. Certificates that are no longer there are unlinked from it. */
    syncLocation: {
      route: 'PUT /v1/entities/{entityUuid}/locations/{locationUuid}/sync',
      id: 'updateLocationContent',
      summary: 'Sync Location content',
      answer: LocationDto,
      access: locationPermission('update'),
      audit: 'sync',
    },
  },
);
