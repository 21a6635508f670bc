// Accounts in the form that administrators see.
import type { AcmeAccountListResponseDto, AcmeAccountResponseDto } from '@signetry/contract';
import { presentSimplifiedRaProfile, type RaProfileFacts } from '../../../areas/ra-profiles/index.ts';
import { statusByCertificate } from '../orders/present.ts';
import type { ManagedAccountRow, OrderGroup } from './store-management.ts';

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
  { raProfile, groups }: { readonly raProfile: RaProfileFacts | undefined; readonly groups: readonly OrderGroup[] },
): AcmeAccountResponseDto {
  const { pending, processing, valid, invalid } = countByStatus(groups);
  const successful = valid + row.successful_orders_gone;
  return {
    ...presentListedAccount(row, { raProfile, orders: pending + processing + valid + invalid }),
    successfulOrders: successful,
    failedOrders: invalid + row.failed_orders_gone,
    pendingOrders: pending,
    validOrders: successful,
    processingOrders: processing,
    contact: row.contact,
    termsOfServiceAgreed: row.terms_of_service_agreed,
    externalAccountKeyId: row.eab_key_id ?? undefined,
  };
}

/** By the status that the client is shown; orders that are ready count as pending. */
function countByStatus(groups: readonly OrderGroup[]): Record<OrderGroup['status'], number> {
  const counts = { pending: 0, processing: 0, valid: 0, invalid: 0 };
  for (const group of groups) counts[shownStatus(group)] += group.orders;
  return counts;
}

function shownStatus({ status, is_over, certificate_state }: OrderGroup): OrderGroup['status'] {
  if (status === 'processing') return statusByCertificate(certificate_state);
  return is_over ? 'invalid' : status;
}
