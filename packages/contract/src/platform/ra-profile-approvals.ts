// The approval profile of an RA profile: with one, its certificates are issued, renewed, rekeyed and revoked only after
// approval.
import { z } from 'zod';
import { connectorErrors, connectorRuleErrors, operations } from '../operations.ts';
import { ApprovalProfileDto } from './approval-profiles.ts';
import { raProfileOfAuthority } from './ra-profile-access.ts';

export const raProfileApprovalOperations = operations(
  { tag: 'RA Profile Management', resource: 'raProfiles', module: 'certificates', errors: connectorErrors },
  {
    /** None or one. */
    getAssociatedApprovalProfiles: {
      route: 'GET /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles',
      summary: 'List of Approval profiles associated with the RAProfile',
      answer: z.array(ApprovalProfileDto),
      access: raProfileOfAuthority('detail'),
    },
    /** Replaces the present one. What the platform issues to itself does not wait. */
    associateRAProfileWithApprovalProfile: {
      route: 'PATCH /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles/{approvalProfileUuid}',
      summary: 'Associated RA profile with the Approval profile',
      success: { status: 200 },
      access: raProfileOfAuthority('update'),
      also: [{ resource: 'approvalProfiles', action: 'detail', object: 'approvalProfileUuid' }],
      audit: 'associate',
    },
    /** Approvals that wait keep waiting. */
    disassociateRAProfileFromApprovalProfile: {
      route: 'DELETE /v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/approvalProfiles/{approvalProfileUuid}',
      summary: 'Disassociated RA profile with the Approval profile',
      success: { status: 200 },
      errors: connectorRuleErrors,
      access: raProfileOfAuthority('update'),
      audit: 'disassociate',
    },
  },
);
