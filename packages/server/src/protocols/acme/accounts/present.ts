// Presents accounts in the protocol format (RFC 8555 §7.1.2).
import type { AcmeAccount } from '@signetry/contract';
import type { AcmeUrls } from '../model/urls.ts';
import type { AcmeAccountRow } from '../model/tables.ts';

export const presentAccount = (row: AcmeAccountRow, urls: AcmeUrls): AcmeAccount => ({
  status: row.status,
  contact: [...row.contact],
  termsOfServiceAgreed: row.terms_of_service_agreed,
  orders: urls.orders(row.account_id),
});
