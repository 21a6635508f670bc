// For tests of this area only: the area on a test database, with an in-memory certificate inventory.
import { createHash, randomBytes } from 'node:crypto';
import { createFakeClock, testPlatform, type FakeClock } from '@signetry/testkit/services';
import type { RequestContext } from '../../../kernel/actor.ts';
import { allPermissions, coreContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import { namesIn } from '../../../platform/objects/named-objects.ts';
import type { Route } from '../../../platform/http/routes.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAttributeEngine } from '../../attributes/index.ts';
import { createAuditArea } from '../../audit/index.ts';
import { createIdentityArea, type IdentityArea, type UserCertificate, type UserCertificates } from '../index.ts';
import { mergePermissions, type ObjectPermissionRow, type PermissionRow } from '../permissions/permission-rows.ts';
import * as permissions from '../permissions/store.ts';
import { roles } from '../permissions/store-roles.ts';

export interface IdentityFixture {
  readonly area: IdentityArea;
  readonly platform: Platform;
  readonly clock: FakeClock;
  readonly certificates: FakeCertificates;
  /** Calls an operation of the area as the context's actor, bypassing the gatekeeper. */
  call<Answer = unknown>(operationId: string, input?: CallInput): Promise<Answer>;
  /** Creates a role with these permissions, bypassing the rules for granting them. */
  roleWith(rows: readonly PermissionRow[]): Promise<string>;
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly context?: RequestContext;
}

export interface FakeCertificates extends UserCertificates {
  /** Adds a certificate. Its DER is a SEQUENCE of random bytes, which is enough for a fingerprint. */
  add(changes?: Partial<UserCertificate>): UserCertificate & { readonly der: Uint8Array };
  change(uuid: string, changes: Partial<UserCertificate>): void;
  /** Adds these bytes as a certificate. */
  put(der: Uint8Array, changes?: Partial<UserCertificate>): UserCertificate;
}

const DAY_MS = 24 * 60 * 60 * 1000;

function createFakeCertificates(clock: FakeClock): FakeCertificates {
  const held = new Map<string, UserCertificate>();
  const put = (der: Uint8Array, changes: Partial<UserCertificate> = {}): UserCertificate => {
    const now = clock.now().getTime();
    const certificate: UserCertificate = {
      uuid: newUuid(),
      fingerprint: createHash('sha256').update(der).digest('hex'),
      state: 'issued',
      archived: false,
      revoked: false,
      notBefore: new Date(now - DAY_MS),
      notAfter: new Date(now + DAY_MS),
      subjectDn: 'CN=test',
      raProfileUuid: null,
      ...changes,
    };
    held.set(certificate.uuid, certificate);
    return certificate;
  };
  return {
    put,
    add: (changes) => {
      const der = Uint8Array.of(0x30, 0x3e, ...randomBytes(62));
      return { ...put(der, changes), der };
    },
    change: (uuid, changes) => {
      const certificate = held.get(uuid);
      if (certificate) held.set(uuid, { ...certificate, ...changes });
    },
    findByUuid: async (_executor, uuid) => held.get(uuid),
    findByFingerprint: async (_executor, fingerprint) =>
      [...held.values()].find((certificate) => certificate.fingerprint === fingerprint),
    upload: async (_executor, { der }) => put(der),
  };
}

export async function identityFixture(
  database: Database,
  {
    sealer,
    log,
    ...options
  }: {
    trustedProxies?: readonly string[];
    proxyCertificates?: readonly string[];
    sealer?: Platform['sealer'];
    log?: Platform['log'];
  } = {},
): Promise<IdentityFixture> {
  const clock = createFakeClock();
  // Nodes of one platform share their sealing key.
  const platform = testPlatform(database, { clock, ...(sealer ? { sealer } : {}), ...(log ? { log } : {}) });
  const certificates = createFakeCertificates(clock);
  const { trail } = createAuditArea(platform);
  const area = createIdentityArea(platform, {
    audit: trail,
    attributes: createAttributeEngine(platform),
    userCertificates: () => certificates,
    objectNames: () => ({ groups: namesIn('object_group') }),
    belongings: () => area.belongings ?? {},
    ...options,
  });
  await area.seed();
  const byId = new Map<string, Route>((area.routes ?? []).map((route) => [route.operation.id, route]));
  return {
    area,
    platform,
    clock,
    certificates,
    async call<Answer>(operationId: string, input: CallInput = {}) {
      const route = byId.get(operationId);
      if (!route) throw new Error(`There is no operation ${operationId}.`);
      const context = input.context ?? coreContext(newUuid());
      const call = {
        params: input.params,
        query: undefined,
        body: input.body,
        context: { ...context, audit: route.operation.audit },
      };
      // The test specifies the result type.
      return (await route.handle(call as unknown as Parameters<Route['handle']>[0])) as Answer;
    },
    async roleWith(rows) {
      const uuid = newUuid();
      const now = clock.now();
      await roles.insert(database.executor, {
        uuid,
        name: `role ${uuid}`,
        description: null,
        email: null,
        is_system: false,
        created_at: now,
        updated_at: now,
      });
      await permissions.replaceForRole(database.executor, uuid, rows);
      return uuid;
    },
  };
}

/** Returns the context of a signed-in user with these permissions, or with all permissions if none are specified. */
export const contextOf = (
  user: { readonly uuid: string; readonly username: string },
  rows?: readonly PermissionRow[],
  objectRows: readonly ObjectPermissionRow[] = [],
): RequestContext => ({
  ...coreContext(newUuid()),
  actor: {
    type: 'user',
    authMethod: 'session',
    userUuid: user.uuid,
    username: user.username,
    permissions: rows ? mergePermissions(rows, objectRows) : allPermissions,
  },
});
