// Provisions a provider's users. Without provisioning settings, nothing is created.
import type { ProviderProvisioning } from '@signetry/contract';
import type { ProviderRow } from '../tables.ts';

const NO_PROVISIONING: ProviderProvisioning = {
  createUnknownUsers: false,
  createUnknownRoles: false,
  syncPolicy: 'create-only',
  grantedRoleUuids: [],
};

export const provisioningOf = ({ provisioning }: Pick<ProviderRow, 'provisioning'>): ProviderProvisioning => ({
  ...NO_PROVISIONING,
  ...provisioning,
});
