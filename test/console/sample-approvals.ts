// An approval profile, and requests under its own RA profile: one waiting, one in progress, one rejected.
import type { Client } from '@signetry/client';
import { makeRequest } from '../e2e/testing/requests.ts';

export interface ApprovalSamples {
  readonly approvalProfile: string;
  /** Waits for the administrator, who is also the requester. */
  readonly approval: string;
  /** Certificate of a second request, which waits for the second of two steps. */
  readonly waiting: string;
}

export async function createSampleApprovals(client: Client, authorityUuid: string): Promise<ApprovalSamples> {
  const approvalProfile = await createProfile(client);
  const { uuid: raProfileUuid } = await client.raProfiles.createRaProfile({
    params: { authorityUuid },
    body: { name: 'public-names', attributes: [], enabled: true },
  });
  const path = { authorityUuid, raProfileUuid };
  await client.raProfileApprovals.associateRAProfileWithApprovalProfile({
    params: { ...path, approvalProfileUuid: approvalProfile },
  });
  const request = async (name: string): Promise<{ readonly certificate: string; readonly approval: string }> => {
    const { pem } = await makeRequest({ subject: `CN=${name},O=Example Ltd`, dnsNames: [name, `www.${name}`] });
    const body = { request: pem, attributes: [] };
    const { uuid } = await client.clientOperations.issueCertificate({ params: path, body });
    const { approvals } = await client.certificates.listCertificateApprovals({ params: { uuid } });
    return { certificate: uuid, approval: approvals[0]?.approvalUuid ?? '' };
  };
  const half = await request('shop.example');
  await client.approvals.approveApprovalRecipient({
    params: { uuid: half.approval },
    body: { comment: 'The order is in ticket 4711.' },
  });
  const refused = await request('sh0p.example');
  await client.approvals.rejectApprovalRecipient({
    params: { uuid: refused.approval },
    body: { comment: 'This name is not ours.' },
  });
  const { approval } = await request('payments.example');
  return { approvalProfile, approval, waiting: half.certificate };
}

/** The administrator approves first, even own requests; then two members of a group. */
async function createProfile(client: Client): Promise<string> {
  const roleUuid = (await client.roles.listRoles()).find(({ name }) => name === 'superadmin')?.uuid ?? '';
  const group = await client.groups.createGroup({ body: { name: 'Security office' } });
  for (const username of ['ann', 'bob'])
    await client.users.createUser({ body: { username, enabled: true, groupUuids: [group.uuid] } });
  const { uuid } = await client.approvalProfiles.createApprovalProfile({
    body: {
      name: 'Four eyes',
      description: 'For certificates of public services.',
      enabled: true,
      expiry: 72,
      allowOwnApproval: true,
      approvalSteps: [
        { order: 1, roleUuid, description: 'Check that we own the name and know the service.' },
        { order: 2, groupUuid: group.uuid, requiredApprovals: 2 },
      ],
    },
  });
  return uuid;
}
