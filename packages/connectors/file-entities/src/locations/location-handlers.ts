// The operations on locations. Their attributes come with each call.
import type { FunctionHandlers } from '@signetry/connector-sdk';
import type { MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { equalBytes, toBase64 } from '@signetry/pki';
import { exportPublicKey } from '@signetry/pki/node';
import { findEntity } from '../entities/entity-handlers.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { hostKeyMetadata } from '../entities/present-entity.ts';
import { withMachine } from '../machines/open-machine.ts';
import type { ConnectorParts } from '../parts.ts';
import { locationForm, readLocationWish, type LocationFacts, type LocationWish } from './location-form.ts';
import { certificateMetadata, waitingKeyMetadata } from './location-metadata.ts';
import { makeRequest } from './make-request.ts';
import { pushCertificate, type Place } from './push-certificate.ts';
import { filesOf, readKey, readLocation } from './read-location.ts';
import { removeCertificate } from './remove-certificate.ts';
import { readRequestWish, requestForm, requestValuesOf } from './request-form.ts';
import type { Reload } from './change-files.ts';

interface OfEntity {
  readonly params: { readonly entityUuid: string };
}

export const locationHandlers = (parts: ConnectorParts) =>
  ({
    listLocationAttributes: async (call) => locationForm(factsOf(parts, await entityOf(parts, call))),
    validateLocationAttributes: async (call) => {
      await readLocationWish(call.body, factsOf(parts, await entityOf(parts, call)));
    },
    getLocationDetail: (call) =>
      atLocation(parts, call, call.body.locationAttributes, async (place, entity) => ({
        ...(await showLocation(place)),
        metadata: [...(await metadataOf(parts, entity)), ...(await waitingOf(place))],
        multipleEntries: false,
        supportKeyManagement: true,
      })),
    pushCertificateToLocation: (call) =>
      atLocation(parts, call, call.body.locationAttributes, async (place) => ({
        certificateMetadata: await pushCertificate(place, call.body.certificate),
        withKey: true,
      })),
    listPushCertificateAttributes: async (call) => {
      await entityOf(parts, call);
      return [];
    },
    removeCertificateFromLocation: (call) =>
      atLocation(parts, call, call.body.locationAttributes, async (place) => {
        await removeCertificate(place, call.body.certificateMetadata);
        return { certificateMetadata: [] };
      }),
    generateCsrLocation: async (call) => {
      const request = await readRequestWish(call.body.csrAttributes);
      return atLocation(parts, call, call.body.locationAttributes, async ({ access, wish }) => {
        const { renewal } = call.body;
        const { der, waiting } = await makeRequest(access.machine, wish, { request, renewal });
        const metadata = waiting ? { metadata: [waitingKeyMetadata(waiting)] } : {};
        return { csr: toBase64(der), certificateType: 'X.509' as const, pushAttributes: [], ...metadata };
      });
    },
    listGenerateCsrAttributes: async (call) => {
      await entityOf(parts, call);
      return requestForm();
    },
    validateGenerateCsrAttributes: async (call) => {
      await entityOf(parts, call);
      await readRequestWish(call.body);
    },
  }) satisfies Partial<FunctionHandlers<'entityProvider'>>;

const entityOf = (parts: ConnectorParts, { params }: OfEntity): Promise<EntityRow> =>
  findEntity(parts, params.entityUuid);

const commandsOf = ({ context }: ConnectorParts): Readonly<Record<string, string>> => context.reloadCommands ?? {};

const factsOf = (parts: ConnectorParts, { transport }: EntityRow): LocationFacts => ({
  transport,
  reloadCommands: Object.keys(commandsOf(parts)),
});

async function atLocation<Result>(
  parts: ConnectorParts,
  call: OfEntity,
  attributes: readonly RequestAttributeDto[],
  work: (place: Place, entity: EntityRow) => Promise<Result>,
): Promise<Result> {
  const entity = await entityOf(parts, call);
  const wish = await readLocationWish(attributes, factsOf(parts, entity));
  const reload = reloadOf(parts, wish);
  return parts.turns(entity.uuid, () => withMachine(parts, entity, (access) => work({ access, wish, reload }, entity)));
}

function reloadOf(parts: ConnectorParts, { reloadCommand: name }: LocationWish): Reload | undefined {
  const command = name === undefined ? undefined : commandsOf(parts)[name];
  return name === undefined || command === undefined ? undefined : { name, command };
}

async function showLocation({ access: { machine }, wish }: Place) {
  const { certificate, chain, keySpki } = await readLocation(machine, await filesOf(machine, wish));
  if (!certificate) return { certificates: [] };
  const csrAttributes = requestValuesOf(certificate);
  return {
    certificates: [
      {
        certificateData: toBase64(certificate.der),
        certificateType: 'X.509' as const,
        withKey: keySpki !== undefined && equalBytes(keySpki, certificate.spki),
        metadata: certificateMetadata(certificate, chain),
        ...(csrAttributes ? { csrAttributes, pushAttributes: [] } : {}),
      },
    ],
  };
}

/** The host key as it is now: it may have been remembered just before. */
async function metadataOf({ store }: ConnectorParts, { uuid }: EntityRow): Promise<MetadataAttribute[]> {
  const row = await store.find(uuid);
  return row?.transport === 'ssh' && row.host_key !== null ? [hostKeyMetadata(row.host_key)] : [];
}

async function waitingOf({ access: { machine }, wish }: Place): Promise<MetadataAttribute[]> {
  const { waitingKey } = await filesOf(machine, wish);
  const key = await readKey(machine, waitingKey);
  return key ? [waitingKeyMetadata(exportPublicKey(key))] : [];
}
