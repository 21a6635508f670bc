// For tests of this area: approvals in a test database with real users, and a subject whose objects require approval.
import { approvalOperations, approvalProfileOperations, type ApprovalStepRequestDto } from '@signetry/contract';
import { testDatabase } from '@signetry/testkit/database';
import type { FakeClock } from '@signetry/testkit/services';
import { coreContextFor, type RequestContext } from '../../../kernel/actor.ts';
import { newUuid } from '../../../kernel/ids.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createAuditTrail } from '../../audit/trail.ts';
import { contextOf, identityFixture } from '../../identity/testing/identity-fixture.ts';
import type { DecideParts } from '../decide.ts';
import type { ApprovalProfileUse, ApprovalSubject } from '../ports.ts';
import { createApprovalProfileService } from '../profiles.ts';
import { request } from '../request.ts';
import { createApprovalService, type ApprovalService } from '../service.ts';

export interface Person {
  readonly uuid: string;
  readonly username: string;
}

export type Effect = readonly [outcome: 'approved' | 'refused', objectUuid: string, message: string];

export type ApprovalsFixture = Awaited<ReturnType<typeof createApprovalsFixture>>;

export async function createApprovalsFixture() {
  const database = await testDatabase();
  const { area: users, platform, clock, roleWith } = await identityFixture(database);
  const effects: Effect[] = [];
  const uses: ApprovalProfileUse[] = [];
  const subject: ApprovalSubject = {
    resource: 'keys',
    namesOf: async (_executor, uuids) => new Map(uuids.map((uuid) => [uuid, `key ${uuid}`])),
    onApproved: async (_tx, { object_uuid }, { message }) => void effects.push(['approved', object_uuid, message]),
    onRejected: async (_tx, { object_uuid }, { message }) => void effects.push(['refused', object_uuid, message]),
    goOn: () => undefined,
  };
  const audit = createAuditTrail(platform);
  const parts: DecideParts = { platform, audit, users, subjects: new Map([['keys', subject]]) };
  const profiles = createApprovalProfileService({ ...parts, uses });
  const approvals = createApprovalService(parts);
  return {
    database,
    platform,
    clock,
    parts,
    uses,
    effects,
    profiles,
    approvals,
    person: (name: string, enabled = true) => addPerson(database, { name, enabled, clock }),
    role: (...members: readonly Person[]) => addRole(database, roleWith, members),
    group: (...members: readonly Person[]) => addGroup(database, members),
    profile: (steps: readonly Omit<ApprovalStepRequestDto, 'order'>[], more: object = {}): Promise<string> =>
      profiles.create(
        { name: `profile ${newUuid()}`, enabled: true, approvalSteps: numberSteps(steps), ...more },
        profileContext('createApprovalProfile'),
      ),
    edit: (uuid: string, steps: readonly Omit<ApprovalStepRequestDto, 'order'>[], more: object = {}) =>
      profiles.edit(uuid, { approvalSteps: numberSteps(steps), ...more }, profileContext('editApprovalProfile')),
    remove: (uuid: string) => profiles.remove(uuid, profileContext('deleteApprovalProfile')),
    ask: (approvalProfileUuid: string, creator: Person, objectUuid: string = newUuid()) =>
      requestApproval({ platform, parts }, { approvalProfileUuid, creator, objectUuid }),
    decide: (who: Person, uuid: string, verdict: Parameters<ApprovalService['decide']>[1]) =>
      approvals.decide(uuid, verdict, contextFor(who)),
  };
}

const numberSteps = (steps: readonly Omit<ApprovalStepRequestDto, 'order'>[]): ApprovalStepRequestDto[] =>
  steps.map((step, index) => ({ ...step, order: index + 1 }));

const profileContext = (operation: keyof typeof approvalProfileOperations): RequestContext =>
  coreContextFor(approvalProfileOperations[operation]);

/** Context of a decision by a user without permissions. */
export const contextFor = (who: Person): RequestContext => ({
  ...contextOf(who, []),
  audit: approvalOperations.approveApprovalRecipient.audit,
});

async function addPerson(
  database: Database,
  { name, enabled, clock }: { readonly name: string; readonly enabled: boolean; readonly clock: FakeClock },
): Promise<Person> {
  const person = { uuid: newUuid(), username: `${name}-${newUuid()}` };
  await database.query(
    `INSERT INTO platform_user (uuid, username, enabled, is_system, created_at, updated_at)
     VALUES ($1, $2, $3, false, $4, $4)`,
    [person.uuid, person.username, enabled, clock.now()],
  );
  return person;
}

async function addRole(
  database: Database,
  roleWith: (rows: readonly []) => Promise<string>,
  members: readonly Person[],
): Promise<string> {
  const roleUuid = await roleWith([]);
  for (const { uuid } of members)
    await database.query('INSERT INTO user_role (user_uuid, role_uuid) VALUES ($1, $2)', [uuid, roleUuid]);
  return roleUuid;
}

async function addGroup(database: Database, members: readonly Person[]): Promise<string> {
  const uuid = newUuid();
  await database.query(
    `INSERT INTO object_group (uuid, name, created_at, updated_at) VALUES ($1::uuid, $1::text, now(), now())`,
    [uuid],
  );
  for (const member of members)
    await database.query(
      `INSERT INTO group_membership (object_resource, object_uuid, group_uuid) VALUES ('users', $1, $2)`,
      [member.uuid, uuid],
    );
  return uuid;
}

async function requestApproval(
  { platform, parts }: { readonly platform: Platform; readonly parts: DecideParts },
  wanted: { readonly approvalProfileUuid: string; readonly creator: Person; readonly objectUuid: string },
) {
  const { approvalProfileUuid, creator, objectUuid } = wanted;
  const approval = await platform.database.transaction((tx) =>
    request(parts, tx, {
      approvalProfileUuid,
      resource: 'keys',
      action: 'sign',
      objectUuid,
      creator: { uuid: creator.uuid, name: creator.username },
    }),
  );
  return { ...approval, objectUuid };
}
