// Locations: the places in entities that hold certificates, such as a key store or the files of a server.
import { z } from 'zod';
import { CertificateState, CertificateValidationStatus } from '../enums/certificates.ts';
import type { FurtherPermission } from '../operation.ts';
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
import { memberOfItsRaProfile, sightOf, sightOfCredentials } from './second-objects.ts';

/**
 * `waiting`: pushed as soon as it is issued and the location is enabled. `pushing`: the provider was asked and has not
 * answered. `installed`: it is there, as the provider says. `served`: the endpoint has shown it. `replaced`: another
 * one is there, and this one comes back if that is not served. `notServed`: the endpoint did not show it in time.
 * `failed`: the provider did not take it.
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
    /** What became of it in the location. Beyond the published interface. */
    deployment: DeploymentState.optional(),
  })
  .meta({ id: 'CertificateInLocationDto' });
export type CertificateInLocationDto = z.output<typeof CertificateInLocationDto>;

/**
 * What became of the certificates of a location, the most urgent first. `failed`: the provider did not take one that it
 * should hold. `notServed`: the endpoint did not show one in time. `unreadable`: what is there could not be read when
 * that was asked last, or not all of it. `waiting`: one is on its way, or its endpoint is being asked. `installed`: all
 * are there, as the provider says. `served`: the endpoint has shown all of them. `empty`: it holds none. Where there is
 * room for one only, a later one that is there makes up for those that did not get there.
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
    /** Beyond the published interface. */
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

/** A secret that is sent empty stays what it is; whether it is enabled stays where it is not said. */
export const EditLocationRequestDto = z
  .object({
    description: description().optional(),
    attributes: z.array(RequestAttributeDto),
    customAttributes: z.array(RequestAttributeDto).optional(),
    enabled: z.boolean().optional(),
  })
  .meta({ id: 'EditLocationRequestDto' });
export type EditLocationRequestDto = z.output<typeof EditLocationRequestDto>;

/** Where there is room for one certificate only, it takes the place of the one that is there. */
const replace = { /** Beyond the published interface. */ replace: z.boolean().default(false) };

export const PushToLocationRequestDto = z
  .object({ attributes: z.array(RequestAttributeDto), ...replace })
  .meta({ id: 'PushToLocationRequestDto' });
export type PushToLocationRequestDto = z.output<typeof PushToLocationRequestDto>;

/** `customAttributes` and `certificateCustomAttributes` are both of the certificate; the latter win. */
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

/** Permission on the location, and to see its entity. */
export const ofLocation = <const Name extends Action>(action: Name) =>
  ({ action, object: 'locationUuid', parent: entity }) as const;
const form = { action: 'ANY', object: 'locationUuid', parent: { ...entity, action: 'ANY' } } as const;
const listErrors = [400, 401, 403, 500, 502, 503] as const;
const ofCertificate = (action: Action): readonly FurtherPermission[] => [
  { resource: 'certificates', action, object: 'certificateUuid' },
  memberOfItsRaProfile,
];
const issuing: readonly FurtherPermission[] = [
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
    /** What it holds is read at once; certificates that the inventory does not have are taken in. */
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
      access: ofLocation('detail'),
    },
    editLocation: {
      route: 'PUT /v1/entities/{entityUuid}/locations/{locationUuid}',
      summary: 'Edit Location',
      body: EditLocationRequestDto,
      answer: LocationDto,
      errors: connectorRuleErrors,
      access: ofLocation('update'),
      also: [sightOfCredentials],
      audit: 'update',
    },
    /** Its certificates stay where they are; the platform forgets that they are there. */
    deleteLocation: {
      route: 'DELETE /v1/entities/{entityUuid}/locations/{locationUuid}',
      summary: 'Delete Location',
      access: ofLocation('delete'),
      audit: 'delete',
    },
    enableLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/enable',
      summary: 'Enable Location',
      access: ofLocation('enable'),
      audit: 'enable',
    },
    disableLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/disable',
      summary: 'Disable Location',
      access: ofLocation('enable'),
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
      access: ofLocation('update'),
      also: ofCertificate('detail'),
      audit: 'pushToLocation',
    },
    issueCertificateToLocation: {
      route: 'POST /v1/entities/{entityUuid}/locations/{locationUuid}/certificates',
      summary: 'Issue Certificate to Location',
      body: IssueToLocationRequestDto,
      answer: LocationDto,
      access: ofLocation('update'),
      also: issuing,
      audit: 'issueInLocation',
    },
    renewCertificateInLocation: {
      route: 'PATCH /v1/entities/{entityUuid}/locations/{locationUuid}/certificates/{certificateUuid}',
      summary: 'Renew Certificate in Location',
      answer: LocationDto,
      access: ofLocation('update'),
      also: ofCertificate('renew'),
      audit: 'renewInLocation',
    },
    removeCertificateFromLocation: {
      route: 'DELETE /v1/entities/{entityUuid}/locations/{locationUuid}/certificates/{certificateUuid}',
      id: 'removeCertificate',
      summary: 'Remove Certificate from Location',
      answer: LocationDto,
      access: ofLocation('update'),
      also: ofCertificate('detail'),
      audit: 'removeFromLocation',
    },
    /** What it holds is read anew; certificates that it no longer holds are no longer linked with it. */
    syncLocation: {
      route: 'PUT /v1/entities/{entityUuid}/locations/{locationUuid}/sync',
      id: 'updateLocationContent',
      summary: 'Sync Location content',
      answer: LocationDto,
      access: ofLocation('update'),
      audit: 'sync',
    },
  },
);
