// A SCEP profile as the server reads it, in plain values.
import type { ServedScepProfile } from '../../../areas/scep-profiles/index.ts';

export const RA_PROFILE = {
  uuid: '11111111-0000-7000-8000-000000000001',
  name: 'devices',
  enabled: true,
  authorityUuid: '22222222-0000-7000-8000-000000000001',
};

/** Enabled, and open to everyone: it asks for no challenge. */
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
  caCertificateUuid: '44444444-0000-7000-8000-000000000001',
  renewalThresholdDays: 0,
  sends: 'leaf',
  challengePassword: undefined,
  allowsOldClients: false,
  bindNames: true,
  waitsForPerson: false,
  oneTimeChallenges: false,
  challengeWebhookUrl: undefined,
  intune: undefined,
  ...facts,
});
