// Operations on approval profiles and approvals.
import { approvalOperations, approvalProfileOperations } from '@signetry/contract';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { ApprovalProfileService } from './profiles.ts';
import type { ApprovalService } from './service.ts';

export const approvalRoutes = ({
  profiles,
  approvals,
}: {
  readonly profiles: ApprovalProfileService;
  readonly approvals: ApprovalService;
}): readonly Route[] => [
  ...routes(approvalProfileOperations, {
    listApprovalProfiles: ({ query }) => profiles.list(query),
    createApprovalProfile: async ({ body, context }) => ({ uuid: await profiles.create(body, context) }),
    getApprovalProfile: ({ params, query }) => profiles.detail(params.uuid, query.version),
    editApprovalProfile: async ({ params, body, context }) => {
      await profiles.edit(params.uuid, body, context);
      return { uuid: params.uuid };
    },
    deleteApprovalProfile: ({ params, context }) => profiles.remove(params.uuid, context),
  }),
  ...routes(approvalOperations, {
    listApprovals: ({ query }) => approvals.list(query),
    listUserApprovals: ({ query, context }) => approvals.listOwn(query, context),
    getApproval: ({ params, context }) => approvals.detail(params.uuid, context),
    approveApproval: ({ params, context }) =>
      approvals.decide(params.uuid, { status: 'APPROVED', as: 'override' }, context),
    approveApprovalRecipient: ({ params, body, context }) =>
      approvals.decide(params.uuid, { status: 'APPROVED', as: 'recipient', comment: body.comment }, context),
    rejectApproval: ({ params, context }) =>
      approvals.decide(params.uuid, { status: 'REJECTED', as: 'override' }, context),
    rejectApprovalRecipient: ({ params, body, context }) =>
      approvals.decide(params.uuid, { status: 'REJECTED', as: 'recipient', comment: body.comment }, context),
  }),
];
