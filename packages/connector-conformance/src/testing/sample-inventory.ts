// An in-memory connector for everything except authorities and keys: credentials, discoveries, entities, compliance v1
// and v2, notifications.
import { randomUUID } from 'node:crypto';
import {
  dataAttribute,
  defineConnector,
  infoAttribute,
  inRange,
  instancesInMemory,
  matching,
  metadataAttribute,
  notFound,
  readString,
  readValue,
  rejected,
  rejectIf,
  validateAttributes,
  type FunctionHandlers,
} from '@signetry/connector-sdk';
import type { MetadataAttribute, RequestAttributeDto } from '@signetry/contract';
import { isPkiError, readCertificate, toBase64 } from '@signetry/pki';
import { createExternalAuthority } from '../certificates/external-authority.ts';
import { makeRequest } from '../certificates/requests.ts';

const uuidOf = (number: number): string => `0193f0a2-6161-7000-8000-${String(number).padStart(12, '0')}`;

const host = dataAttribute({
  uuid: uuidOf(1),
  name: 'data_host',
  label: 'Host',
  contentType: 'string',
  required: true,
  constraints: [matching('[a-z]+(\\.[a-z]+)*')],
});
const token = dataAttribute({
  uuid: uuidOf(2),
  name: 'data_token',
  label: 'Token',
  contentType: 'secret',
  required: true,
});
const count = dataAttribute({
  uuid: uuidOf(3),
  name: 'data_count',
  label: 'How many',
  contentType: 'integer',
  content: 5,
  constraints: [inRange({ from: 0, to: 9 })],
});
const about = infoAttribute({ uuid: uuidOf(4), name: 'info_about', label: 'About', text: 'Kept in memory.' });

const createCertificate = async (): Promise<string> => {
  const { issue } = await createExternalAuthority('CN=Shelf');
  return toBase64(issue({ subject: 'CN=found.example', spki: (await makeRequest()).spki }));
};

function discoveries(): FunctionHandlers<'discoveryProvider'> {
  const known = new Map<string, { name: string; found: { uuid: string; base64Content: string; meta: [] }[] }>();
  const byKey = new Map<string, string>();
  const show = (uuid: string, from: number, many: number) => {
    const run = known.get(uuid);
    if (!run) throw notFound('Discovery', uuid);
    const certificateData = run.found.slice(from, from + many);
    const status = 'completed' as const;
    return { uuid, name: run.name, status, totalCertificatesDiscovered: run.found.length, certificateData, meta: [] };
  };
  return {
    listAttributeDefinitions: () => [about, count],
    discoverCertificate: async ({ body, idempotencyKey }) => {
      rejectIf(validateAttributes([about, count], body.attributes ?? []));
      const uuid = byKey.get(idempotencyKey ?? '') ?? randomUUID();
      if (idempotencyKey !== undefined) byKey.set(idempotencyKey, uuid);
      const many = readValue(body.attributes ?? [], count) ?? 0;
      const found = await Promise.all(
        Array.from({ length: many }, async () => ({
          uuid: randomUUID(),
          base64Content: await createCertificate(),
          meta: [] as [],
        })),
      );
      known.set(uuid, { name: body.name, found });
      return { ...show(uuid, 0, 0), status: 'inProgress' };
    },
    getDiscovery: ({ params, body }) => show(params.uuid, (body.pageNumber - 1) * body.itemsPerPage, body.itemsPerPage),
    deleteDiscovery: ({ params }) => void known.delete(params.uuid),
  };
}

const alias = (name: string): MetadataAttribute =>
  metadataAttribute({ uuid: uuidOf(7), name: 'meta_alias', label: 'Alias', contentType: 'string', content: [name] });

function entities(): FunctionHandlers<'entityProvider'> {
  const instances = instancesInMemory('Entity', () => [host, token]);
  const held = new Map<string, string>();
  const of = (uuid: string) => void instances.find(uuid);
  const define = ({ params }: { params: { entityUuid: string } }) => {
    of(params.entityUuid);
    return [host];
  };
  const at = (params: { entityUuid: string }, attributes: Parameters<typeof validateAttributes>[1]) => {
    of(params.entityUuid);
    rejectIf(validateAttributes([host], attributes));
  };
  return {
    listAttributeDefinitions: () => [about, host, token],
    listEntityInstances: instances.list,
    createEntityInstance: instances.create,
    getEntityInstance: instances.get,
    updateEntityInstance: instances.update,
    removeEntityInstance: instances.remove,
    listLocationAttributes: define,
    getLocationDetail: ({ params, body }) => {
      at(params, body.locationAttributes);
      return {
        certificates: [...held].map(([name, certificateData]) => ({
          certificateData,
          withKey: true,
          metadata: [alias(name)],
        })),
        multipleEntries: true,
        supportKeyManagement: true,
      };
    },
    listPushCertificateAttributes: () => [],
    pushCertificateToLocation: ({ params, body }) => {
      at(params, body.locationAttributes);
      const name = randomUUID();
      held.set(name, body.certificate);
      return { certificateMetadata: [alias(name)], withKey: true };
    },
    removeCertificateFromLocation: ({ body }) => {
      held.delete(readString(body.certificateMetadata, 'meta_alias') ?? '');
      return { certificateMetadata: [] };
    },
    generateCsrLocation: async ({ params, body }) => {
      at(params, body.locationAttributes);
      return { csr: (await makeRequest()).text, pushAttributes: [] };
    },
    listGenerateCsrAttributes: () => [],
  };
}

const group = { uuid: uuidOf(20), name: 'Names', resource: 'certificates' as const };
const rules = [
  { uuid: uuidOf(21), groupUuid: group.uuid, name: 'Has a name', resource: 'certificates' as const },
  { uuid: uuidOf(22), name: 'Short-lived', resource: 'certificates' as const, attributes: [count] },
  { uuid: uuidOf(23), name: 'Long key', resource: 'keys' as const },
];

function requireCertificate(text: string): void {
  try {
    readCertificate(text);
  } catch (error) {
    if (isPkiError(error)) throw rejected(`This is no certificate: ${error.message}`);
    throw error;
  }
}

const one = <Item extends { readonly uuid: string }>(items: readonly Item[], uuid: string): Item => {
  const found = items.find((item) => item.uuid === uuid);
  if (!found) throw notFound('It', uuid);
  return found;
};

const ofFirstGeneration = rules.map(({ resource: _none, ...rule }) => ({ ...rule, certificateType: 'X.509' as const }));

interface RequestedRule {
  readonly uuid: string;
  readonly attributes?: readonly RequestAttributeDto[] | undefined;
}

/** Returns a result in which every rule is satisfied. */
function compliantResult(asked: readonly RequestedRule[]) {
  const found = asked.map(({ uuid, attributes = [] }) => ({ rule: one(rules, uuid), attributes }));
  rejectIf(found.flatMap(({ rule, attributes }) => validateAttributes(rule.attributes ?? [], attributes)));
  return {
    status: 'ok' as const,
    rules: found.map(({ rule: { uuid, name } }) => ({ uuid, name, status: 'ok' as const })),
  };
}

const compliance: FunctionHandlers<'complianceProvider'> = {
  listRules: () => ofFirstGeneration,
  listGroups: () => [{ uuid: group.uuid, name: group.name }],
  listGroupDetails: ({ params }) =>
    ofFirstGeneration.filter(({ groupUuid }) => groupUuid === one([group], params.uuid).uuid),
  checkCompliance: ({ body }) => {
    requireCertificate(body.certificate);
    return compliantResult(body.rules ?? rules.map(({ uuid }) => ({ uuid })));
  },
};

const membersOf = (uuid: string) => rules.filter(({ groupUuid }) => groupUuid === uuid);

const complianceV2: FunctionHandlers<'complianceProviderV2'> = {
  listRules: ({ query }) => rules.filter(({ resource }) => query.resource === undefined || resource === query.resource),
  getRulesBatch: ({ body }) => ({
    rules: rules.filter(({ uuid }) => body.ruleUuids.includes(uuid)),
    groups: [group]
      .filter(({ uuid }) => body.groupUuids.includes(uuid))
      .map((each) => (body.withGroupRules ? { ...each, rules: membersOf(each.uuid) } : each)),
  }),
  getRule: ({ params }) => one(rules, params.ruleUuid),
  listGroups: () => [group],
  getGroup: ({ params }) => one([group], params.groupUuid),
  getGroupRules: ({ params }) => membersOf(one([group], params.groupUuid).uuid),
  checkCompliance: ({ body }) => {
    if (body.resource === 'certificates') requireCertificate(body.data);
    const ofGroups = body.groups.flatMap(membersOf).map(({ uuid }) => ({ uuid }));
    return compliantResult([...ofGroups, ...body.rules]);
  },
};

function notifications(): FunctionHandlers<'notificationProvider'> {
  const instances = instancesInMemory('Notification instance', () => [host]);
  return {
    listAttributeDefinitions: () => [host],
    listNotificationInstances: instances.list,
    createNotificationInstance: instances.create,
    getNotificationInstance: instances.get,
    updateNotificationInstance: instances.update,
    removeNotificationInstance: instances.remove,
    sendNotification: ({ params }) => void instances.find(params.uuid),
    previewNotification: ({ params, body }) => ({ text: `${instances.find(params.uuid).name}: ${body.eventType}` }),
    listMappingAttributes: () => [host],
  };
}

export const sampleInventory = defineConnector({
  name: 'sample-inventory',
  functions: {
    credentialProvider: { kinds: ['Token'] },
    discoveryProvider: { kinds: ['Shelf'], features: ['idempotency'] },
    entityProvider: { kinds: ['Shelf'] },
    complianceProvider: { kinds: ['Rules'] },
    complianceProviderV2: { kinds: ['Rules'] },
    notificationProvider: { kinds: ['Board'] },
  },
  create: () => ({
    functions: {
      credentialProvider: { listAttributeDefinitions: () => [token] },
      discoveryProvider: discoveries(),
      entityProvider: entities(),
      complianceProvider: compliance,
      complianceProviderV2: complianceV2,
      notificationProvider: notifications(),
    },
  }),
});
