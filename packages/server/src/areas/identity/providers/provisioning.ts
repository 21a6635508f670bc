// What counts where an administrator has said nothing about people of a provider: nothing is made for them.
import type { ProviderProvisioning } from '@signetry/contract';

export const NO_PROVISIONING: ProviderProvisioning = {
  createUnknownUsers: false,
  createUnknownRoles: false,
  syncPolicy: 'create-only',
  allowSystemRoles: false,
};
