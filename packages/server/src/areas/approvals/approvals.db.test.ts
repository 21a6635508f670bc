import { beforeAll, describe, expect, it } from 'vitest';
import { coreContext } from '../../kernel/actor.ts';
import { newUuid } from '../../kernel/ids.ts';
import { expireOverdue } from './decide.ts';
import { createApprovalService } from './service.ts';
import { contextFor, createApprovalsFixture, type ApprovalsFixture, type Person } from './testing/approvals-fixture.ts';

const yes = { status: 'APPROVED', as: 'recipient' } as const;
const no = { status: 'REJECTED', as: 'recipient' } as const;
const override = { status: 'APPROVED', as: 'override' } as const;
const page = { itemsPerPage: 100, pageNumber: 1 };

let test: ApprovalsFixture;
let requester: Person;
let ann: Person;
let bob: Person;

beforeAll(async () => {
  test = await createApprovalsFixture();
  requester = await test.person('requester');
  ann = await test.person('ann');
  bob = await test.person('bob');
});

const rejection = (problem: RegExp): unknown =>
  expect.objectContaining({ code: 'rejected_by_rules', message: expect.stringMatching(problem) });
const effectsOn = (objectUuid: string) => test.effects.filter(([, object]) => object === objectUuid);
const statusOf = async (uuid: string) => (await test.approvals.detail(uuid, coreContext('test'))).status;
const awaitedApprovals = async (who: Person) =>
  (await test.approvals.listOwn(page, contextFor(who))).approvals.map(({ approvalUuid }) => approvalUuid);

describe('approval profiles', () => {
  it('are edited in place until an approval is requested, then get a new version', async () => {
    const uuid = await test.profile([{ userUuid: ann.uuid }], { description: 'one', expiry: 5 });
    await test.edit(uuid, [{ userUuid: bob.uuid }], { description: 'two' });
    expect(await test.profiles.detail(uuid, undefined)).toMatchObject({ version: 1, description: 'two', expiry: 5 });
    const { uuid: approval } = await test.ask(uuid, requester);
    await test.edit(uuid, [{ userUuid: bob.uuid }], { description: 'two' });
    expect((await test.profiles.detail(uuid, undefined)).version).toBe(1);
    await test.edit(uuid, [{ userUuid: ann.uuid }, { userUuid: bob.uuid }], { expiry: 7, allowOwnApproval: true });
    expect(await test.profiles.detail(uuid, undefined)).toMatchObject({
      version: 2,
      expiry: 7,
      numberOfSteps: 2,
      allowOwnApproval: true,
      approvalSteps: [{ username: ann.username }, { username: bob.username }],
    });
    expect(await test.profiles.detail(uuid, 1)).toMatchObject({ version: 1, expiry: 5, allowOwnApproval: false });
    await expect(test.profiles.detail(uuid, 3)).rejects.toMatchObject({ code: 'object_not_found' });
    // Requested approvals keep their version.
    expect(await test.approvals.detail(approval, coreContext('test'))).toMatchObject({ version: 1, expiry: 5 });
    await test.decide(bob, approval, yes);
    expect(await statusOf(approval)).toBe('APPROVED');
  });

  it.each([
    [[], /at least one step/],
    [[{}], /exactly one of/],
    [[{ userUuid: newUuid(), roleUuid: newUuid() }], /exactly one of/],
    [[{ userUuid: newUuid(), requiredApprovals: 2 }], /only once/],
    [[{ roleUuid: newUuid(), requiredApprovals: 0 }], /between 1 and/],
    [[{ groupUuid: newUuid() }], /does not exist/],
  ])('reject invalid steps: %j', async (steps, problem) => {
    await expect(test.profile(steps)).rejects.toEqual(rejection(problem));
  });

  it('reject an expiry of zero, and two steps in the same position', async () => {
    await expect(test.profile([{ userUuid: ann.uuid }], { expiry: 0 })).rejects.toEqual(rejection(/expiry/));
    const twice = [ann, bob].map(({ uuid }) => ({ userUuid: uuid, order: 3 }));
    await expect(test.profile([], { approvalSteps: twice })).rejects.toEqual(
      rejection(/approvalSteps: multiple steps have the order 3/),
    );
  });

  it('cannot be deleted if approvals were requested with them or other objects use them', async () => {
    const asked = await test.profile([{ userUuid: ann.uuid }]);
    await test.ask(asked, requester);
    await expect(test.remove(asked)).rejects.toEqual(rejection(/1 approval was requested/));
    const used = await test.profile([{ userUuid: ann.uuid }]);
    const desk = { profileUuid: used, uuid: used, name: 'desk' };
    const use = { resource: 'keys' as const, what: 'lamp', find: async () => [desk] };
    test.uses.push(use);
    await expect(test.remove(used)).rejects.toEqual(rejection(/: lamp desk uses it; remove the association first/));
    const usedBy = [{ resource: 'keys', uuid: used, name: 'desk' }];
    expect(await test.profiles.detail(used, undefined)).toMatchObject({ associations: 1, usedBy });
    test.uses.length = 0;
    await test.remove(used);
    await expect(test.remove(used)).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('an approval', () => {
  it('requests the required decisions step by step, and is closed after the last one', async () => {
    const [carl, dora] = [await test.person('carl'), await test.person('dora')];
    const roleUuid = await test.role(ann, bob);
    const groupUuid = await test.group(carl, dora);
    const profile = await test.profile([{ roleUuid, requiredApprovals: 2 }, { groupUuid }]);
    const { uuid, objectUuid } = await test.ask(profile, requester);
    await expect(test.decide(carl, uuid, yes)).rejects.toMatchObject({ code: 'object_not_found' });
    expect(await awaitedApprovals(carl)).not.toContain(uuid);
    const findListed = async () => (await test.approvals.listOfObject('keys', objectUuid, page)).approvals[0];
    expect(await findListed()).toMatchObject({ objectName: `key ${objectUuid}`, awaitedStep: 1, numberOfSteps: 2 });
    await test.decide(ann, uuid, yes);
    expect(await awaitedApprovals(ann)).not.toContain(uuid);
    await expect(test.decide(ann, uuid, yes)).rejects.toEqual(rejection(/you have already decided on this approval;/));
    expect(await awaitedApprovals(bob)).toContain(uuid);
    await test.decide(bob, uuid, { ...yes, comment: 'fine' });
    expect(await awaitedApprovals(dora)).toContain(uuid);
    expect(effectsOn(objectUuid)).toEqual([]);
    expect(await findListed()).toMatchObject({ awaitedStep: 2 });
    await test.decide(dora, uuid, yes);
    expect((await findListed())?.awaitedStep).toBeUndefined();
    expect(effectsOn(objectUuid)).toEqual([['approved', objectUuid, `Approved by ${dora.username}`]]);
    const { approvalSteps } = await test.approvals.detail(uuid, contextFor(requester));
    expect(approvalSteps.map((step) => step.approvalStepRecipients.map(({ username }) => username))).toEqual([
      [ann.username, bob.username],
      [dora.username],
    ]);
    expect(approvalSteps[0]?.approvalStepRecipients[1]).toMatchObject({ comment: 'fine', status: 'APPROVED' });
  });

  it('is closed by a single rejection or an override', async () => {
    const profile = await test.profile([{ userUuid: ann.uuid }, { userUuid: bob.uuid }]);
    const rejected = await test.ask(profile, requester);
    await test.decide(ann, rejected.uuid, { ...no, comment: 'why?' });
    expect(effectsOn(rejected.objectUuid)).toEqual([
      ['refused', rejected.objectUuid, `Rejected by ${ann.username}: why?`],
    ]);
    const overridden = await test.ask(profile, requester);
    await test.decide(bob, overridden.uuid, override);
    expect(effectsOn(overridden.objectUuid)).toHaveLength(1);
    const { approvalSteps } = await test.approvals.detail(overridden.uuid, coreContext('test'));
    expect(approvalSteps[0]?.approvalStepRecipients).toMatchObject([{ username: bob.username, status: 'APPROVED' }]);
  });

  it('cannot be decided by its requester unless the profile allows this', async () => {
    const roleUuid = await test.role(requester, ann);
    const strict = await test.ask(await test.profile([{ roleUuid }]), requester);
    for (const verdict of [yes, no, override])
      await expect(test.decide(requester, strict.uuid, verdict)).rejects.toEqual(
        rejection(/the requester of an operation cannot decide on it;/),
      );
    expect(await awaitedApprovals(requester)).not.toContain(strict.uuid);
    const lax = await test.ask(await test.profile([{ roleUuid }], { allowOwnApproval: true }), requester);
    expect(await awaitedApprovals(requester)).toContain(lax.uuid);
    await test.decide(requester, lax.uuid, yes);
    expect(effectsOn(lax.objectUuid)).toHaveLength(1);
  });

  it('has one effect if two users decide concurrently, or one user decides twice', async () => {
    const roleUuid = await test.role(ann, bob);
    const profile = await test.profile([{ roleUuid }]);
    for (let round = 0; round < 5; round++) {
      const { uuid, objectUuid } = await test.ask(profile, requester);
      const results = await Promise.allSettled([
        test.decide(ann, uuid, yes),
        test.decide(bob, uuid, no),
        test.decide(ann, uuid, yes),
        test.decide(bob, uuid, override),
      ]);
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(effectsOn(objectUuid)).toHaveLength(1);
    }
  });

  it('counts two concurrent approvals as two decisions', async () => {
    const roleUuid = await test.role(ann, bob);
    const { uuid, objectUuid } = await test.ask(await test.profile([{ roleUuid, requiredApprovals: 2 }]), requester);
    await Promise.all([test.decide(ann, uuid, yes), test.decide(bob, uuid, yes)]);
    expect(effectsOn(objectUuid)).toHaveLength(1);
  });

  it('is unique per object while it is pending', async () => {
    const profile = await test.profile([{ userUuid: ann.uuid }]);
    const { uuid, objectUuid } = await test.ask(profile, requester);
    const twice = [test.ask(profile, requester, objectUuid), test.ask(profile, requester, objectUuid)];
    for (const result of await Promise.allSettled(twice))
      expect(result).toMatchObject({
        status: 'rejected',
        reason: rejection(/an operation on the object is already waiting for approval;/),
      });
    await test.decide(ann, uuid, no);
    await test.ask(profile, requester, objectUuid);
    const { approvals } = await test.approvals.listOfObject('keys', objectUuid, page);
    expect(approvals.map(({ status }) => status)).toEqual(['PENDING', 'REJECTED']);
  });

  it('expires after its time limit, but not before', async () => {
    const { uuid, objectUuid, expiresAt } = await test.ask(
      await test.profile([{ userUuid: ann.uuid }], { expiry: 2 }),
      requester,
    );
    const { clock } = test;
    clock.advance(expiresAt.getTime() - clock.now().getTime() - 10_000);
    await expireOverdue(test.parts);
    expect(await statusOf(uuid)).toBe('PENDING');
    clock.advance(10_001);
    expect(await awaitedApprovals(ann)).not.toContain(uuid);
    await expect(test.decide(ann, uuid, yes)).rejects.toMatchObject({ code: 'invalid_state' });
    const rounds = await Promise.all([expireOverdue(test.parts), expireOverdue(test.parts)]);
    expect(rounds[0] + rounds[1]).toBeGreaterThanOrEqual(1);
    expect(await statusOf(uuid)).toBe('EXPIRED');
    expect(effectsOn(objectUuid)).toEqual([['refused', objectUuid, 'No decision within 2 hours']]);
    const { approvalSteps, closedAt } = await test.approvals.detail(uuid, coreContext('test'));
    expect(approvalSteps[0]?.approvalStepRecipients).toMatchObject([{ status: 'EXPIRED' }]);
    expect(Date.parse(closedAt ?? '')).toBeGreaterThanOrEqual(expiresAt.getTime());
  });

  it('rolls back a decision if the handler for its object type fails', async () => {
    const { uuid, objectUuid } = await test.ask(await test.profile([{ userUuid: ann.uuid }]), requester);
    const subject = test.parts.subjects.get('keys') ?? expect.fail('there is a subject');
    const failing = {
      ...test.parts,
      subjects: new Map([['keys' as const, { ...subject, onApproved: () => Promise.reject(new Error('broken')) }]]),
    };
    await expect(createApprovalService(failing).decide(uuid, yes, contextFor(ann))).rejects.toThrow('broken');
    expect(await statusOf(uuid)).toBe('PENDING');
    await test.decide(ann, uuid, yes);
    expect(effectsOn(objectUuid)).toHaveLength(1);
  });
});

describe('an approver', () => {
  it('must be able to decide at the time of the request', async () => {
    const gone = await test.person('gone');
    const profile = await test.profile([{ userUuid: gone.uuid }]);
    await test.database.query('UPDATE platform_user SET enabled = false WHERE uuid = $1', [gone.uuid]);
    await expect(test.ask(profile, requester)).rejects.toEqual(
      rejection(/step 1 requires 1 enabled user but has 0; edit the step or its user/),
    );
    await test.database.query('DELETE FROM platform_user WHERE uuid = $1', [gone.uuid]);
    await expect(test.ask(profile, requester)).rejects.toEqual(rejection(/has 0/));
    expect((await test.profiles.detail(profile, undefined)).approvalSteps[0]?.username).toBeUndefined();
    const ofRole = await test.profile([{ roleUuid: await test.role(requester, ann), requiredApprovals: 2 }]);
    await expect(test.ask(ofRole, requester)).rejects.toEqual(
      rejection(/has 1, not counting the requester; edit the step or its role, or set allowOwnApproval in the profile/),
    );
    await expect(test.ask(ofRole, bob)).resolves.toBeDefined();
  });

  it('can no longer decide after leaving the group', async () => {
    const carl = await test.person('carl');
    const groupUuid = await test.group(ann, carl);
    const { uuid } = await test.ask(await test.profile([{ groupUuid }]), requester);
    expect(await awaitedApprovals(carl)).toContain(uuid);
    await test.database.query('DELETE FROM group_membership WHERE object_uuid = $1', [carl.uuid]);
    expect(await awaitedApprovals(carl)).not.toContain(uuid);
    await expect(test.decide(carl, uuid, yes)).rejects.toMatchObject({ code: 'object_not_found' });
  });

  it('can see the approval, as can the requester, but nobody else can', async () => {
    const { uuid } = await test.ask(await test.profile([{ userUuid: ann.uuid }]), requester);
    for (const who of [requester, ann])
      expect((await test.approvals.detail(uuid, contextFor(who))).approvalUuid).toBe(uuid);
    expect((await test.approvals.detail(uuid, contextFor(ann))).awaitsCaller).toBe(true);
    expect((await test.approvals.detail(uuid, contextFor(requester))).awaitsCaller).toBe(false);
    await expect(test.approvals.detail(uuid, contextFor(bob))).rejects.toMatchObject({ code: 'object_not_found' });
  });
});

describe('approval events', () => {
  it('report each step that becomes pending, and the outcome', async () => {
    const { platform, database } = test;
    for (const event of ['approval_requested', 'approval_closed'] as const)
      platform.events.subscribe({ event, queue: `test-${event}`, handle: async () => undefined });
    const roleUuid = await test.role(ann, bob);
    const carl = await test.person('carl');
    const profile = await test.profile([{ roleUuid, requiredApprovals: 2 }, { userUuid: carl.uuid }]);
    const { uuid, objectUuid } = await test.ask(profile, requester);
    for (const who of [ann, bob, carl]) await test.decide(who, uuid, yes);
    const rows = await database.query<{ event: string; payload: object }>(
      'SELECT event, payload FROM event_outbox ORDER BY id',
    );
    const common = {
      approvalUuid: uuid,
      approvalProfileUuid: profile,
      version: 1,
      resource: 'keys',
      resourceAction: 'sign',
      objectUuid,
      objectName: `key ${objectUuid}`,
      creatorUuid: requester.uuid,
      creatorUsername: requester.username,
      expiryAt: expect.any(String),
      approvalProfileName: expect.any(String),
    };
    expect(rows).toEqual([
      { event: 'approval_requested', payload: { ...common, status: 'PENDING', recipientType: 'role', recipientUuid: roleUuid } }, // prettier-ignore
      { event: 'approval_requested', payload: { ...common, status: 'PENDING', recipientType: 'user', recipientUuid: carl.uuid } }, // prettier-ignore
      { event: 'approval_closed', payload: { ...common, status: 'APPROVED', closedAt: expect.any(String) } },
    ]);
  });
});
