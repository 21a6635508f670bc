// The approval profile of an RA profile. If there is one, certificates are issued, renewed, rekeyed and revoked only
// after approval.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { ApprovalProfileDto } from './approval-profiles.ts';
import { raProfilePermission } from './ra-profile-access.ts';

export const raProfileApprovalOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorErrors },
  {
    /** Contains at most one profile. */
    getAssociatedApprovalProfiles: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles',
      summary: 'List of Approval profiles associated with the RAProfile',
      answer: z.array(ApprovalProfileDto),
      access: raProfilePermission('detail'),
    },
    /** Replaces the current profile. Certificates that the platform issues to itself do not require approval. */
    associateRAProfileWithApprovalProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles/{approvalProfileUuid}',
      summary: 'Associated RA profile with the Approval profile',
      success: { status: 200 },
      access: raProfilePermission('update'),
      also: [{ resource: 'approvalProfiles', action: 'detail', object: 'approvalProfileUuid' }],
      audit: 'associate',
    },
    /** Pending approvals remain pending. */
    disassociateRAProfileFromApprovalProfile: {
      route: 'DELETE /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles/{approvalProfileUuid}',
      summary: 'Disassociated RA profile with the Approval profile',
      success: { status: 200 },
      errors: connectorRuleErrors,
      access: raProfilePermission('update'),
      audit: 'disassociate',
    },
  },
);
