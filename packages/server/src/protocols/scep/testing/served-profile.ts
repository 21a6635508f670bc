// A SCEP profile as the server reads it, as a plain object.
import type { ServedScepProfile } from '../../../areas/scep-profiles/index.ts';

export const RA_PROFILE = {
  uuid: '11111111-0000-7000-8000-000000000001',
  name: 'devices',
  enabled: true,
  authorityUuid: '22222222-0000-7000-8000-000000000001',
};

/** Returns an enabled profile that is open to everyone: it requires no challenge. */
export const servedProfile = (facts: Partial<ServedScepProfile> = {}): ServedScepProfile => ({
  family: 'profile',
  uuid: '33333333-0000-7000-8000-000000000001',
  name: 'routers',
  version: 1,
  enabled: true,
  raProfile: RA_PROFILE,
  issueAttributes: [],
  revokeAttributes: [],
  association: { owner: null, groupUuids: [], customAttributes: [] },
  description: undefined,
  caCertificateUuid: '44444444-0000-7000-8000-000000000001',
  renewalThreshold: 0,
  includeCaCertificate: false,
  includeCaCertificateChain: false,
  sends: 'leaf',
  challengePassword: undefined,
  allowOldClients: false,
  bindNames: true,
  requireManualApproval: false,
  oneTimeChallenges: false,
  challengeWebhookUrl: undefined,
  enableIntune: false,
  intuneTenant: undefined,
  intuneApplicationId: undefined,
  intune: undefined,
  ...facts,
});
