// Provisions a provider's users. Without provisioning settings, nothing is created.
import { defaultProviderClaims, type ProviderProvisioning } from '@signetry/contract';
import type { ProviderRow } from '../tables.ts';

type Provisioning = ProviderProvisioning & Required<Pick<ProviderProvisioning, 'claims' | 'grantedGroupUuids'>>;

const NO_PROVISIONING = {
  createUnknownUsers: false,
  createUnknownRoles: false,
  syncPolicy: 'create-only' as const,
  grantedRoleUuids: [],
  grantedGroupUuids: [],
};

export const provisioningOf = ({ provisioning }: Pick<ProviderRow, 'provisioning'>): Provisioning => ({
  ...NO_PROVISIONING,
  ...provisioning,
  claims: { ...defaultProviderClaims, ...provisioning?.claims },
});
