// Approval profiles and approvers.
import type { Client } from '@signetry/client';
import type { ApprovalDto } from '@signetry/contract';
import type { TestServer } from '@signetry/testkit/platform';
import { expect, vi } from 'vitest';
import { userWithRole, type LimitedUser } from './limited-user.ts';
import { createAuthority, type IssuingPath } from './profiles.ts';

/** Creates a user without any permission except that of being an approver. */
export const approver = (server: TestServer): Promise<LimitedUser> => userWithRole(server, []);

interface Step {
  readonly userUuid?: string;
  readonly roleUuid?: string;
  readonly groupUuid?: string;
  readonly requiredApprovals?: number;
}

/** Creates an approval profile with these steps, in order. */
export async function createApprovalProfile(
  client: Client,
  name: string,
  steps: readonly Step[],
  options: { readonly expiry?: number; readonly allowOwnApproval?: boolean } = {},
): Promise<string> {
  const approvalSteps = steps.map((step, index) => ({ ...step, order: index + 1 }));
  const body = { name, enabled: true, approvalSteps, ...options };
  return (await client.approvalProfiles.createApprovalProfile({ body })).uuid;
}

export const associate = (client: Client, path: IssuingPath, approvalProfileUuid: string): Promise<void> =>
  client.raProfileApprovals.associateRAProfileWithApprovalProfile({ params: { ...path, approvalProfileUuid } });

/** Creates an authority whose RA profile requires approval in these steps. */
export async function guardedAuthority(
  client: Client,
  name: string,
  steps: readonly Step[],
): Promise<IssuingPath & { readonly approvalProfileUuid: string }> {
  const path = await createAuthority(client, { name });
  const approvalProfileUuid = await createApprovalProfile(client, `of ${name}`, steps);
  await associate(client, path, approvalProfileUuid);
  return { ...path, approvalProfileUuid };
}

/** Returns the latest approval of a certificate. */
export async function approvalOf(client: Client, certificateUuid: string): Promise<ApprovalDto> {
  const { approvals } = await client.certificates.listCertificateApprovals({ params: { uuid: certificateUuid } });
  return approvals[0] ?? expect.fail(`certificate ${certificateUuid} has no approval`);
}

export const approveAs = ({ client }: LimitedUser, uuid: string, comment?: string): Promise<void> =>
  client.approvals.approveApprovalRecipient({ params: { uuid }, body: comment === undefined ? {} : { comment } });

export const rejectAs = ({ client }: LimitedUser, uuid: string, comment?: string): Promise<void> =>
  client.approvals.rejectApprovalRecipient({ params: { uuid }, body: comment === undefined ? {} : { comment } });

export const stateOf = async (client: Client, uuid: string): Promise<string> =>
  (await client.certificates.getCertificate({ params: { uuid } })).state;

/** Waits for a state: an approved operation continues in the background. */
export const waitForState = (client: Client, uuid: string, state: string): Promise<void> =>
  vi.waitFor(async () => expect(await stateOf(client, uuid)).toBe(state), { timeout: 10_000, interval: 50 });
