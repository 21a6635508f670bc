// Presents accounts to administrators.
import type { AcmeAccountListResponseDto, AcmeAccountResponseDto, AcmeOrderStatus } from '@signetry/contract';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../../../areas/ra-profiles/index.ts';
import type { ManagedAccountRow } from './store-accounts.ts';

export const presentListedAccount = (
  row: ManagedAccountRow,
  shown: { readonly raProfile: RaProfileFacts | undefined; readonly orders: number },
): AcmeAccountListResponseDto => ({
  accountId: row.account_id,
  uuid: row.uuid,
  enabled: row.enabled,
  totalOrders: shown.orders + row.successful_orders_gone + row.failed_orders_gone,
  status: row.status,
  raProfile: shown.raProfile && presentSimplifiedRaProfile(shown.raProfile),
  acmeProfileName: row.profile_name,
  acmeProfileUuid: row.acme_profile_uuid,
});

export function presentManagedAccount(
  row: ManagedAccountRow,
  {
    raProfile,
    orders,
  }: { readonly raProfile: RaProfileFacts | undefined; readonly orders: ReadonlyMap<AcmeOrderStatus, number> },
): AcmeAccountResponseDto {
  const count = (status: AcmeOrderStatus): number => orders.get(status) ?? 0;
  const successful = count('valid') + row.successful_orders_gone;
  return {
    ...presentListedAccount(row, { raProfile, orders: orders.values().reduce((sum, some) => sum + some, 0) }),
    successfulOrders: successful,
    failedOrders: count('invalid') + row.failed_orders_gone,
    // Ready orders also wait for their client.
    pendingOrders: count('pending') + count('ready'),
    validOrders: successful,
    processingOrders: count('processing'),
    contact: row.contact,
    termsOfServiceAgreed: row.terms_of_service_agreed,
    externalAccountKeyId: row.eab_key_id ?? undefined,
  };
}
