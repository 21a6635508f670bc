// A call of every operation with existing objects: names everything that a path or body can name.
import { platformOperations, type Operation } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit/platform';
import { expect } from 'vitest';
import { bodiesOf } from './declared-bodies.ts';
import { keyIn, makeObjects, type Objects } from './declared-objects.ts';

type Key = keyof typeof platformOperations;

export interface Call {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

export type CallMaker = Awaited<ReturnType<typeof createCallMaker>>;

export async function createCallMaker(server: TestServer) {
  let objects = await makeObjects(server);
  let bodies = bodiesOf(objects);
  function call(key: Key): Call {
    const operation: Operation = platformOperations[key];
    const names = Object.keys(operation.params?.shape ?? {});
    const params = Object.fromEntries(names.map((name) => [name, valueOf(name, { operation, objects })]));
    const query = queryOf(key, operation, objects);
    if (operation.body && !(key in bodies)) expect.fail(`${key} takes a body, and declared-bodies.ts has none for it`);
    return { params, query, body: bodies[key] };
  }
  /** Uses a new, unused key in the following calls. */
  async function useFreshKey(enabled: boolean): Promise<void> {
    const { tokenInstanceUuid, tokenProfileUuid } = objects.keys;
    const keys = await keyIn(server.client, { tokenInstanceUuid, tokenProfileUuid }, enabled);
    const { named, ofResource } = objects;
    objects = {
      ...objects,
      keys,
      named: { ...named, ...keys.inPaths },
      ofResource: { ...ofResource, ...keys.ofResource },
    };
    bodies = bodiesOf(objects);
  }
  return Object.assign(call, { objects, useFreshKey });
}

function queryOf(key: Key, { query }: Operation, { connectorUuid }: Objects): Call['query'] {
  // The connector does not check compliance: the response is 422.
  if (key === 'getComplianceGroupsV2' || key === 'getComplianceGroupRulesV2') return { connectorUuid, kind: 'none' };
  // A stream does not end; a position that does not exist yet is rejected with 422.
  if (key === 'streamEvents') return { after: '999999999999999' };
  return query && 'encoding' in query.shape ? { encoding: 'pem' } : {};
}

function valueOf(name: string, { operation, objects }: { operation: Operation; objects: Objects }): unknown {
  if (operation.path.startsWith('/v2/compliance/') && name in OF_CHECKS) return OF_CHECKS[name]?.(objects);
  if (name === 'groupUuid') return objects.groupUuid;
  if (name !== 'uuid') return objects.named[name] ?? expect.fail(`the parameter ${name} is new to declared-objects.ts`);
  const { access, path } = operation;
  if (path.includes('/attributes/metadata/')) return objects.globalMetadataUuid;
  if (path.startsWith('/v1/approvals/')) return objects.approvalUuid;
  if (path.startsWith('/x/v1/certificates/changes/')) return objects.changeUuid;
  if (path === '/x/v1/certificates/{uuid}/export') return objects.exportable;
  // Runs of the other job would leave records behind.
  if (path === '/x/v1/scheduler/jobs/{uuid}/run') return objects.estate.platformJobUuid;
  const resource = typeof access === 'object' ? access.resource : undefined;
  return (resource && objects.ofResource[resource]) ?? objects.tokenUuid;
}

/** Parameters of compliance checks. */
const OF_CHECKS: Readonly<Record<string, (objects: Objects) => string>> = {
  resource: () => 'certificates',
  objectUuid: ({ certificateUuid }) => certificateUuid,
};

/** Rejected regardless of permissions: an access token cannot create a sign-in link or a passkey. */
export const ALWAYS_REJECTED: readonly Key[] = ['createSignInLink', 'startPasskeyRegistration', 'registerPasskey'];
/** Operations on objects that the fixtures lack: the response is 404 with every permission. */
export const MISSING_OBJECTS: readonly Key[] = [
  'renamePasskey',
  'updateSavedView',
  'deleteSavedView',
  'getWorkflowEvaluation',
  'getTriggerHistorySummary',
  'getNotificationDelivery',
  'replayNotificationDelivery',
  'markNotificationAsRead',
  'deleteNotification',
  'listEntityProfiles',
  'listCertificateProfiles',
  'listCAsInProfile',
  'identifyUser',
  'promoteConnectorMetadata',
  'patchComplianceProfileGroupsV2',
  'revokeLegacyCertificate',
];

/** Moves operations that remove named objects to the end, parts before the whole. */
export function destructiveLast(keys: readonly Key[]): readonly Key[] {
  const destroys = (key: Key): number =>
    /purge/i.test(key)
      ? 7
      : key.startsWith('deleteKey')
        ? 2
        : /^(deactivate|disable)Token/.test(key)
          ? 3
          : /delete|remove/i.test(key) && /acme|Eab|Resource|Token/i.test(key)
            ? 4
            : /delete|remove/i.test(key) && /certificate|user/i.test(key)
              ? 5
              : /delete|remove/i.test(key)
                ? 6
                : /revoke|disable|deactivate|compromise|destroy/i.test(key) && !/Attributes/.test(key)
                  ? 1
                  : 0;
  return keys.toSorted((a, b) => destroys(a) - destroys(b));
}

export type OperationKey = Key;
