// Shows, updates and deactivates accounts (RFC 8555 §7.3.2, §7.3.6).
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { Platform } from '../../../platform/platform.ts';
import { rejection } from '../model/problems.ts';
import { assertOwn, payloadObject } from '../requests/authenticate.ts';
import type { AccountCall, AcmeReply } from '../requests/call.ts';
import { StaleFacts, consumeNonce } from '../requests/store-guard.ts';
import { findByAccountId } from '../requests/store-account-keys.ts';
import type { AccountKeys } from '../requests/account-keys.ts';
import { readContact } from './contact.ts';
import { presentAccount } from './present.ts';
import * as store from './store.ts';

export interface UpdateAccountParts {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly accountKeys: AccountKeys;
}

export function createUpdateAccount(parts: UpdateAccountParts): (call: AccountCall) => Promise<AcmeReply> {
  const { audit, accountKeys } = parts;
  const { database, clock } = parts.platform;

  return async function updateAccount(call) {
    assertOwn(call);
    await consumeNonce(database.relaxed, call);
    if (call.payload !== undefined) await change(call, payloadObject(call));
    const row = await findByAccountId(database.executor, call.account.accountId);
    if (!row || row.key_thumbprint !== call.key.thumbprint) throw new StaleFacts('account changed');
    return {
      status: 200,
      body: presentAccount(row, call.urls),
      headers: { location: call.urls.account(row.account_id) },
    };
  };

  /**
   * Updates only the contact, or deactivates the account. Everything else is ignored (RFC 8555 §7.3.2): orders, terms,
   * any other status.
   */
  async function change(call: AccountCall, request: Readonly<Record<string, unknown>>): Promise<void> {
    if (request['status'] === 'deactivated') return deactivate(call);
    const contact = readContact(request['contact']);
    if (contact === undefined) return;
    if (call.profile.requireContact && contact.length === 0)
      throw rejection(
        'invalidContact',
        'This directory requires accounts to have a contact, e.g. mailto:admin@example.com.',
      );
    await database.transaction(async (tx) => {
      if (!(await store.setContact(tx, call.account.uuid, { contact, at: clock.now() })))
        throw new StaleFacts('account changed');
      await audit.append(tx, call.context, entryOf(call, 'update'));
    });
  }

  async function deactivate(call: AccountCall): Promise<void> {
    const problem = { type: 'unauthorized', detail: 'The account was deactivated by its owner.' } as const;
    await database.transaction(async (tx) => {
      if (!(await store.deactivate(tx, call.account.uuid, { problem, at: clock.now() })))
        throw new StaleFacts('account changed');
      await audit.append(tx, call.context, entryOf(call, 'deactivate'));
    });
    accountKeys.forget(call.account.accountId);
  }
}

const entryOf = ({ account }: AccountCall, operation: 'update' | 'deactivate') => ({
  facts: { module: 'protocols', resource: 'acmeAccounts', operation } as const,
  objects: [{ uuid: account.uuid, name: account.accountId }],
});
