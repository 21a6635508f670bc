// Entity provider operations: entities and their locations. The connector does not store locations: each call includes
// the location's attributes. Operations that connect to a machine can take a long time.
import { z } from 'zod';
import { objectErrors, operations, ruleErrors } from '../operations.ts';
import { BaseAttributeDto, RequestAttributeDto } from '../shared/attributes.ts';
import {
  GenerateCsrRequestDto,
  GenerateCsrResponseDto,
  LocationDetailRequestDto,
  LocationDetailResponseDto,
  ProviderEntityInstanceDto,
  ProviderEntityInstanceRequestDto,
  PushCertificateRequestDto,
  PushCertificateResponseDto,
  RemoveCertificateRequestDto,
  RemoveCertificateResponseDto,
} from './entity-shapes.ts';

const tags = { entities: 'Entity Management', locations: 'Location Operations' };
/** Identifier that the connector assigned to the entity. */
const entityParam = z.object({ entityUuid: z.string() });
const definitions = z.array(BaseAttributeDto);
const values = z.array(RequestAttributeDto);

export const entityProviderOperations = operations(
  { tag: tags.entities, errors: objectErrors },
  {
    listEntityInstances: {
      route: 'GET /v1/entityProvider/entities',
      summary: 'List Entity instances',
      answer: z.array(ProviderEntityInstanceDto),
    },
    createEntityInstance: {
      route: 'POST /v1/entityProvider/entities',
      summary: 'Create Entity instance',
      body: ProviderEntityInstanceRequestDto,
      answer: ProviderEntityInstanceDto,
      errors: ruleErrors,
    },
    getEntityInstance: {
      route: 'GET /v1/entityProvider/entities/{entityUuid}',
      summary: 'Get Entity instance details',
      params: entityParam,
      answer: ProviderEntityInstanceDto,
    },
    updateEntityInstance: {
      route: 'PUT /v1/entityProvider/entities/{entityUuid}',
      summary: 'Update Entity instance',
      params: entityParam,
      body: ProviderEntityInstanceRequestDto,
      answer: ProviderEntityInstanceDto,
    },
    removeEntityInstance: {
      route: 'DELETE /v1/entityProvider/entities/{entityUuid}',
      summary: 'Remove Entity instance',
      params: entityParam,
    },
    listLocationAttributes: {
      route: 'GET /v1/entityProvider/entities/{entityUuid}/location/attributes',
      summary: 'List Entity Location Attributes',
      params: entityParam,
      answer: definitions,
    },
    validateLocationAttributes: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/location/attributes/validate',
      summary: 'Validate Location Attributes',
      params: entityParam,
      body: values,
      errors: ruleErrors,
    },
    getLocationDetail: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations',
      summary: 'Get Location Details',
      tag: tags.locations,
      params: entityParam,
      body: LocationDetailRequestDto,
      answer: LocationDetailResponseDto,
      repeated: 'harmless',
      pace: 'slow',
    },
    pushCertificateToLocation: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations/push',
      summary: 'Push Certificate',
      tag: tags.locations,
      params: entityParam,
      body: PushCertificateRequestDto,
      answer: PushCertificateResponseDto,
      pace: 'slow',
    },
    listPushCertificateAttributes: {
      route: 'GET /v1/entityProvider/entities/{entityUuid}/locations/push/attributes',
      summary: 'List Push Certificate Attributes',
      tag: tags.locations,
      params: entityParam,
      answer: definitions,
    },
    validatePushCertificateAttributes: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations/push/attributes/validate',
      summary: 'Validate Push Certificate Attributes',
      tag: tags.locations,
      params: entityParam,
      body: values,
      errors: ruleErrors,
    },
    removeCertificateFromLocation: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations/remove',
      summary: 'Remove Certificate',
      tag: tags.locations,
      params: entityParam,
      body: RemoveCertificateRequestDto,
      answer: RemoveCertificateResponseDto,
      repeated: 'same',
      pace: 'slow',
    },
    /** Generates a key in the location and returns a CSR for it. */
    generateCsrLocation: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations/csr',
      summary: 'Generate CSR',
      tag: tags.locations,
      params: entityParam,
      body: GenerateCsrRequestDto,
      answer: GenerateCsrResponseDto,
      pace: 'slow',
    },
    listGenerateCsrAttributes: {
      route: 'GET /v1/entityProvider/entities/{entityUuid}/locations/csr/attributes',
      summary: 'List CSR Attributes',
      tag: tags.locations,
      params: entityParam,
      answer: definitions,
    },
    validateGenerateCsrAttributes: {
      route: 'POST /v1/entityProvider/entities/{entityUuid}/locations/csr/attributes/validate',
      summary: 'Validate CSR Attributes',
      tag: tags.locations,
      params: entityParam,
      body: values,
      errors: ruleErrors,
    },
  },
);
