// Operations on locations. Each call includes the location's attributes.
import type { FunctionHandlers } from '@signetry/connector-sdk';
import { rejectIf, validateAttributes } from '@signetry/connector-sdk';
import type { MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { toBase64 } from '@signetry/pki';
import type { Kind } from '../declaration.ts';
import { findEntity } from '../entities/entity-handlers.ts';
import type { EntityRow } from '../entities/entity-store.ts';
import { hostKeyMetadata } from '../entities/present-entity.ts';
import { keyStoreLocations } from '../key-stores/key-store-locations.ts';
import { withMachine } from '../machines/open-machine.ts';
import type { ConnectorParts } from '../parts.ts';
import type { Reload } from './change-files.ts';
import type { LocationFacts } from './location-form.ts';
import type { LocationKind, OpenLocation, Site } from './location-kind.ts';
import { pemLocations } from './pem-locations.ts';

const kinds: Readonly<Record<Kind, LocationKind>> = { PEM: pemLocations, Keystore: keyStoreLocations };

interface EntityCall {
  readonly params: { readonly entityUuid: string };
}

export const locationHandlers = (parts: ConnectorParts) =>
  ({
    listLocationAttributes: async (call) => {
      const entity = await entityOf(parts, call);
      return kinds[entity.kind].form(factsOf(parts, entity));
    },
    validateLocationAttributes: async (call) => {
      const entity = await entityOf(parts, call);
      await kinds[entity.kind].open(call.body, factsOf(parts, entity));
    },
    getLocationDetail: (call) =>
      atLocation(parts, call, call.body.locationAttributes, async (location, site, entity) => {
        const shown = await location.show(site);
        return { ...shown, metadata: [...(await metadataOf(parts, entity)), ...(shown.metadata ?? [])] };
      }),
    pushCertificateToLocation: (call) =>
      atLocation(parts, call, call.body.locationAttributes, (location, site) => location.push(site, call.body)),
    listPushCertificateAttributes: async (call) => kinds[(await entityOf(parts, call)).kind].pushForm(),
    validatePushCertificateAttributes: async (call) => {
      const { pushForm } = kinds[(await entityOf(parts, call)).kind];
      rejectIf(validateAttributes(pushForm(), call.body));
    },
    removeCertificateFromLocation: (call) =>
      atLocation(parts, call, call.body.locationAttributes, async (location, site) => {
        await location.remove(site, call.body.certificateMetadata);
        return { certificateMetadata: [] };
      }),
    generateCsrLocation: async (call) => {
      const { kind } = await entityOf(parts, call);
      await kinds[kind].checkRequest(call.body.csrAttributes);
      return atLocation(parts, call, call.body.locationAttributes, async (location, site) => {
        const { der, metadata, pushAttributes } = await location.request(site, call.body);
        const said = metadata.length > 0 ? { metadata: [...metadata] } : {};
        return {
          csr: toBase64(der),
          certificateType: 'X.509' as const,
          pushAttributes: [...pushAttributes],
          ...said,
        };
      });
    },
    listGenerateCsrAttributes: async (call) => kinds[(await entityOf(parts, call)).kind].requestForm(),
    validateGenerateCsrAttributes: async (call) => kinds[(await entityOf(parts, call)).kind].checkRequest(call.body),
  }) satisfies Partial<FunctionHandlers<'entityProvider'>>;

const entityOf = (parts: ConnectorParts, { params }: EntityCall): Promise<EntityRow> =>
  findEntity(parts, params.entityUuid);

const commandsOf = ({ context }: ConnectorParts): Readonly<Record<string, string>> => context.reloadCommands ?? {};

const factsOf = (parts: ConnectorParts, { transport }: EntityRow): LocationFacts => ({
  transport,
  reloadCommands: Object.keys(commandsOf(parts)),
});

async function atLocation<Result>(
  parts: ConnectorParts,
  call: EntityCall,
  attributes: readonly RequestAttributeDto[],
  work: (location: OpenLocation, site: Site, entity: EntityRow) => Promise<Result>,
): Promise<Result> {
  const entity = await entityOf(parts, call);
  const location = await kinds[entity.kind].open(attributes, factsOf(parts, entity));
  const reload = reloadOf(parts, location);
  const now = parts.context.clock.now();
  return parts.turns(entity.uuid, () =>
    withMachine(parts, entity, (access) => work(location, { access, reload, now }, entity)),
  );
}

function reloadOf(parts: ConnectorParts, { reloadCommand: name }: OpenLocation): Reload | undefined {
  const command = name === undefined ? undefined : commandsOf(parts)[name];
  return name === undefined || command === undefined ? undefined : { name, command };
}

/** Returns metadata with the current host key, which may have just been stored. */
async function metadataOf({ store }: ConnectorParts, { uuid }: EntityRow): Promise<MetadataAttribute[]> {
  const row = await store.find(uuid);
  return row?.transport === 'ssh' && row.host_key !== null ? [hostKeyMetadata(row.host_key)] : [];
}
