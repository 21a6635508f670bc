// Approval commands, run against a fake platform.
import { describe, expect, it } from 'vitest';
import { ask } from '../testing/fake-platform.ts';

const uuid = '0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e';
const objectUuid = '0197b1f4-0000-7cc2-9d4e-2f6a7b8c9d0e';
const approval = {
  approvalUuid: uuid,
  creatorUuid: uuid,
  creatorUsername: 'admin',
  version: 2,
  createdAt: '2026-11-20T11:00:00Z',
  expiryAt: '2026-11-21T12:00:00Z',
  status: 'PENDING',
  resource: 'certificates',
  resourceAction: 'issue',
  objectUuid,
  objectName: 'www.example.com',
  approvalProfileName: 'four eyes',
  approvalProfileUuid: uuid,
};
const page = { itemsPerPage: 100, pageNumber: 1, totalPages: 1, totalItems: 1, approvals: [approval] };
const recipient = { approvalRecipientUuid: uuid, createdAt: '2026-11-20T11:00:00Z' };
const detail = {
  ...approval,
  expiry: 25,
  awaitsCaller: true,
  overridableByCaller: false,
  approvalSteps: [
    {
      uuid,
      order: 1,
      roleUuid: uuid,
      roleName: 'operators',
      requiredApprovals: 2,
      approvalStepRecipients: [
        { ...recipient, status: 'APPROVED', username: 'ann', comment: 'fine' },
        { ...recipient, status: 'PENDING' },
      ],
    },
    { uuid, order: 2, userUuid: uuid, username: 'bob', approvalStepRecipients: [] },
  ],
};

describe('approvals list', () => {
  it("lists approvals that await the caller's decision, or all approvals", async () => {
    const own = await ask({ 'GET /v1/approvals/user': { body: page } }, ['approvals', 'list']);
    expect(own.out.split('\n')).toEqual([
      expect.stringMatching(/^Status +Action +Object +Requested by +Profile +Expires +UUID$/),
      expect.stringMatching(/^PENDING +issue \(certificates\) +www\.example\.com +admin +four eyes +.*in 1 day.* 0197b1f4-5d3a\S+$/), // prettier-ignore
    ]);
    const all = await ask({ 'GET /v1/approvals': { body: page } }, ['approvals', 'list', '--all', '--json']);
    expect(JSON.parse(all.out)).toEqual([approval]);
    const history = await ask({ 'GET /v1/approvals/user': { body: { ...page, approvals: [] } } }, [
      'approvals',
      'list',
      '--history',
    ]);
    expect([history.out, history.err]).toEqual(['', 'No approvals.']);
    expect(history.asked[0]?.path).toContain('history=true');
  });
});

describe('approvals show', () => {
  it('shows whose decision is pending and which decisions were made', async () => {
    const { out } = await ask({ [`GET /v1/approvals/${uuid}`]: { body: detail } }, ['approvals', 'show', uuid]);
    expect(out).toMatch(/^Your decision +pending$/m);
    expect(out).toMatch(/^Step 1 +role operators, 2 approvals$/m);
    expect(out).toMatch(/^ +APPROVED by ann: fine$/m);
    expect(out).toMatch(/^Step 2 +user bob$/m);
    expect(out).toMatch(/^Profile +four eyes, version 2$/m);
    expect(out).toMatch(/^Object +www\.example\.com \(0197b1f4-0000\S+\)$/m);
  });
});

describe('a decision', () => {
  it.each([
    [['approve', uuid, '--comment', 'fine'], 'approveRecipient', { comment: 'fine' }],
    [['reject', uuid], 'rejectRecipient', {}],
    [['approve', uuid, '--override'], 'approve', undefined],
    [['reject', uuid, '--override'], 'reject', undefined],
  ])('is sent: %j', async (args, path, body) => {
    const replies = { [`PATCH /v1/approvals/${uuid}/${path}`]: { status: 204 } };
    const { code, asked, err } = await ask(replies, ['approvals', ...args]);
    expect([code, asked[0]?.body]).toEqual([0, body]);
    expect(err).toContain(uuid);
  });

  it('that is rejected results in an error with the reason', async () => {
    const refusal = 'the requester of an operation cannot decide on it; a different user must decide';
    const replies = { [`PATCH /v1/approvals/${uuid}/approveRecipient`]: { status: 422, body: [refusal] } };
    const { code, err } = await ask(replies, ['approvals', 'approve', uuid]);
    expect(code).toBe(1);
    expect(err).toContain(refusal);
  });
});
