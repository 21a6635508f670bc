// `signetry approvals …`: lists and shows approvals, and approves or rejects them.
import { command, type Argument } from '../command-line/command.ts';
import { printJson, type Context } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { renderFacts, renderTable, type Column, type Fact, type Tone } from '../output/table.ts';
import { describeTime } from '../output/times.ts';
import { connect, type Connection } from '../platform/connect.ts';
import { connectionFlags } from '../platform/find-platform.ts';

type Approvals = Connection['client']['approvals'];
type Approval = Awaited<ReturnType<Approvals['listApprovals']>>['approvals'][number];
type ApprovalDetail = Awaited<ReturnType<Approvals['getApproval']>>;

const selector: Argument = { name: 'UUID', about: 'UUID of an approval, from `signetry approvals list`' };

/** Maximum number of approvals to list. */
const ITEMS = 100;

export const listApprovals = command({
  name: 'approvals list',
  about: 'List approvals that are waiting for your decision',
  flags: {
    history: { about: 'Include approvals that you decided or were asked to decide' },
    all: { about: "Show everyone's approvals; requires permission to list approvals" },
    ...connectionFlags,
  },
  async run({ flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const page = { itemsPerPage: ITEMS };
    const answer = flags.all
      ? await client.approvals.listApprovals({ query: page }, options)
      : await client.approvals.listUserApprovals({ query: { ...page, history: flags.history } }, options);
    const { approvals, totalItems } = answer;
    if (json) printJson(context, approvals);
    else if (approvals.length === 0) context.err('No approvals.');
    else {
      const { colour, width } = context;
      context.out(renderTable(approvals, { columns: columns(context.now()), colour, width }));
      if (totalItems > approvals.length) context.err(`Showing the newest ${approvals.length} of ${totalItems}.`);
    }
    return EXIT.ok;
  },
});

const columns = (now: number): readonly Column<Approval>[] => [
  { title: 'Status', text: ({ status }) => status, tone: ({ status }) => toneOf(status) },
  { title: 'Action', text: ({ resource, resourceAction }) => `${resourceAction} (${resource})` },
  { title: 'Object', text: ({ objectName, objectUuid }) => objectName ?? objectUuid },
  { title: 'Requested by', text: ({ creatorUsername = '' }) => creatorUsername },
  { title: 'Profile', isMinor: true, text: ({ approvalProfileName }) => approvalProfileName },
  { title: 'Expires', text: ({ expiryAt }) => describeTime(expiryAt, now) },
  { title: 'UUID', isWhole: true, text: ({ approvalUuid }) => approvalUuid },
];

function toneOf(status: Approval['status']): Tone {
  switch (status) {
    case 'PENDING':
      return 'warning';
    case 'APPROVED':
      return 'good';
    case 'REJECTED':
    case 'EXPIRED':
      return 'bad';
  }
}

export const showApproval = command({
  name: 'approvals show',
  about: 'Show an approval with its steps and decisions',
  arguments: [selector],
  flags: connectionFlags,
  async run({ args: [uuid = ''], flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const approval = await client.approvals.getApproval({ params: { uuid } }, options);
    if (json) printJson(context, approval);
    else context.out(factsOf(approval, context));
    return EXIT.ok;
  },
});

function factsOf(approval: ApprovalDetail, context: Context): string {
  const now = context.now();
  const { status, resource, resourceAction, objectUuid, objectName, creatorUsername, closedAt } = approval;
  const facts: readonly Fact[] = [
    ['Status', status, toneOf(status)],
    ['Action', `${resourceAction} (${resource})`],
    ['Object', objectName === undefined ? objectUuid : `${objectName} (${objectUuid})`],
    ['Requested by', creatorUsername],
    ['Requested', describeTime(approval.createdAt, now)],
    ['Expires', describeTime(approval.expiryAt, now)],
    ['Closed', closedAt && describeTime(closedAt, now)],
    ['Profile', `${approval.approvalProfileName}, version ${approval.version}`],
    ['Your decision', approval.awaitsCaller ? 'pending' : undefined, 'warning'],
    ...approval.approvalSteps.flatMap(stepFacts),
    ['UUID', approval.approvalUuid],
  ];
  return renderFacts(facts, context);
}

function stepFacts(step: ApprovalDetail['approvalSteps'][number]): Fact[] {
  const { order, userUuid, roleUuid, groupUuid, requiredApprovals = 1, approvalStepRecipients } = step;
  const who =
    userUuid !== undefined
      ? `user ${step.username ?? userUuid}`
      : roleUuid !== undefined
        ? `role ${step.roleName ?? roleUuid}`
        : `group ${step.groupName ?? groupUuid ?? ''}`;
  const times = requiredApprovals === 1 ? '' : `, ${requiredApprovals} approvals`;
  return [
    [`Step ${order}`, `${who}${times}`],
    ...approvalStepRecipients.map(({ status, username, comment }): Fact => {
      const by = username === undefined ? '' : ` by ${username}`;
      return ['', `${status}${by}${comment === undefined ? '' : `: ${comment}`}`, toneOf(status)];
    }),
  ];
}

const decisionFlags = {
  comment: { value: 'TEXT', about: 'Reason, shown to the requester' },
  override: { about: 'Decide on behalf of all recipients; requires permission to approve approvals' },
  ...connectionFlags,
} as const;

export const approveApproval = command({
  name: 'approvals approve',
  about: 'Approve an operation that is waiting for your decision',
  arguments: [selector],
  flags: decisionFlags,
  details: ['You cannot approve your own request unless the approval profile allows it.'],
  examples: ['signetry approvals approve 0197b1f4-5d3a-7cc2-9d4e-2f6a7b8c9d0e --comment "known to me"'],
  async run({ args: [uuid = ''], flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const { approveApproval: override, approveApprovalRecipient: approve } = client.approvals;
    const params = { uuid };
    if (flags.override) await override({ params }, options);
    else await approve({ params, body: commentOf(flags.comment) }, options);
    if (json) printJson(context, { uuid, decision: 'approved' });
    else context.err(`Your approval of ${uuid} was recorded.`);
    return EXIT.ok;
  },
});

export const rejectApproval = command({
  name: 'approvals reject',
  about: 'Reject an operation that is waiting for your decision; this closes the approval',
  arguments: [selector],
  flags: decisionFlags,
  async run({ args: [uuid = ''], flags, json }, context) {
    const { client, options } = await connect(flags, context);
    const { rejectApproval: override, rejectApprovalRecipient: reject } = client.approvals;
    const params = { uuid };
    if (flags.override) await override({ params }, options);
    else await reject({ params, body: commentOf(flags.comment) }, options);
    if (json) printJson(context, { uuid, decision: 'rejected' });
    else context.err(`Approval ${uuid} rejected.`);
    return EXIT.ok;
  },
});

const commentOf = (comment: string | undefined) => (comment === undefined ? {} : { comment });
