// Creates accounts, and finds the existing account for a key (RFC 8555 §7.3).
import { randomToken, newUuid } from '../../../kernel/ids.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import { networkOf } from '../../../platform/limits/network-of.ts';
import { linkTo } from '../../../platform/http/header-url.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../../areas/audit/index.ts';
import type { EabKeys } from '../../../areas/acme-profiles/index.ts';
import type { ProtocolCertificates } from '../../../areas/issuing/index.ts';
import { rejection } from '../model/problems.ts';
import { assertUncompromised, inactiveAccount, inactivityReason, payloadObject } from '../requests/authenticate.ts';
import type { AcmeReply, SignedCall } from '../requests/call.ts';
import { consumeNonce } from '../requests/store-guard.ts';
import type { AcmeAccountRow } from '../model/tables.ts';
import { readContact } from './contact.ts';
import { readExternalBinding, invalidBinding, type ExternalBinding } from './external-binding.ts';
import { noteBindingFailure, type BindingNotes } from './note-binding-failure.ts';
import { presentAccount } from './present.ts';
import * as store from './store.ts';

/** Bytes in the random part of an account URL. */
const ACCOUNT_ID_BYTES = 16;

export interface NewAccountParts extends BindingNotes {
  readonly platform: Platform;
  readonly audit: AuditTrail;
  readonly eabKeys: EabKeys;
  readonly certificates: Pick<ProtocolCertificates, 'problemOfKey'>;
}

export function createNewAccount(parts: NewAccountParts): (call: SignedCall) => Promise<AcmeReply> {
  const { database, clock, limits } = parts.platform;

  return async function newAccount(call) {
    const request = payloadObject(call);
    await consumeNonce(database.relaxed, call);
    const existing = await store.findByKey(database.executor, accountScopeOf(call), call.key.thumbprint);
    if (existing) return existingAccountReply(call, existing);
    if (request['onlyReturnExisting'] === true)
      throw rejection(
        'accountDoesNotExist',
        'No account exists for this key, and "onlyReturnExisting" prevents the creation of one.',
      );
    await assertUncompromised(parts.certificates, call.key);
    const contact = readContact(request['contact']) ?? [];
    assertRules(call, { contact, agreed: request['termsOfServiceAgreed'] === true });
    const value = request['externalAccountBinding'];
    const binding = await noteBindingFailure(parts, call, () =>
      readExternalBinding(parts.eabKeys, { call, value, now: clock.now() }),
    );
    await limits.acmeAccounts.take(networkOf(call.context.source?.ipAddress ?? ''));
    const row = rowOf(parts, call, { contact, agreed: request['termsOfServiceAgreed'] === true, binding });
    try {
      await noteBindingFailure(parts, call, () => create(parts, call, row, binding));
    } catch (error) {
      // If two concurrent requests have the same key, the unique constraint lets one of them create the account, and
      // the other finds it.
      const winner = isUniqueViolation(error, 'acme_account_key')
        ? await store.findByKey(database.executor, accountScopeOf(call), call.key.thumbprint)
        : undefined;
      if (!winner) throw error;
      return existingAccountReply(call, winner);
    }
    return {
      status: 201,
      body: {
        ...presentAccount(row, call.urls),
        // A verified binding is included in the response (RFC 8555 §7.3.4).
        ...(binding ? { externalAccountBinding: request['externalAccountBinding'] } : {}),
      },
      headers: { location: call.urls.account(row.account_id) },
    };
  };
}

async function create(
  parts: NewAccountParts,
  call: SignedCall,
  row: AcmeAccountRow,
  binding: ExternalBinding | undefined,
): Promise<void> {
  const { database } = parts.platform;
  const { audit, eabKeys } = parts;
  await database.transaction(async (tx) => {
    // The account comes first, because removing the profile locks the rows in the same order.
    await store.insert(tx, { ...row, jwk: JSON.stringify(row.jwk) });
    if (binding && !(await eabKeys.bind(tx, binding.eabKeyUuid, { now: row.created_at })))
      throw invalidBinding('The key was used, revoked or expired while the account was being created.');
    await audit.append(tx, call.context, {
      facts: { module: 'protocols', resource: 'acmeAccounts', operation: 'create' },
      objects: [{ uuid: row.uuid, name: row.account_id }],
      affiliated: { resource: 'acmeProfiles', objects: [{ uuid: call.profile.uuid, name: call.profile.name }] },
      ...(binding ? { data: { externalAccountKeyId: binding.keyId } } : {}),
    });
  });
}

function rowOf(
  parts: NewAccountParts,
  call: SignedCall,
  facts: {
    readonly contact: readonly string[];
    readonly agreed: boolean;
    readonly binding: ExternalBinding | undefined;
  },
): AcmeAccountRow {
  const { clock } = parts.platform;
  const now = clock.now();
  const place = accountScopeOf(call);
  return {
    uuid: newUuid(),
    account_id: randomToken(ACCOUNT_ID_BYTES),
    acme_profile_uuid: place.acmeProfileUuid,
    ra_profile_uuid: place.raProfileUuid,
    status: 'valid',
    enabled: true,
    key_thumbprint: call.key.thumbprint,
    former_key_thumbprints: [],
    jwk: call.key.jwk,
    contact: [...facts.contact],
    terms_of_service_agreed: facts.agreed,
    eab_key_uuid: facts.binding?.eabKeyUuid ?? null,
    eab_key_id: facts.binding?.keyId ?? null,
    successful_orders_gone: 0,
    failed_orders_gone: 0,
    created_at: now,
    updated_at: now,
  };
}

function existingAccountReply({ urls }: SignedCall, row: AcmeAccountRow): AcmeReply {
  const reason = inactivityReason(row);
  if (reason !== undefined) throw inactiveAccount(reason);
  return { status: 200, body: presentAccount(row, urls), headers: { location: urls.account(row.account_id) } };
}

/**
 * Returns the directory that the account belongs to. Accounts in an RA profile's directory are separate from those in
 * the ACME profile's own directory.
 */
export const accountScopeOf = ({ profile }: Pick<SignedCall, 'profile'>): store.AccountScope => ({
  acmeProfileUuid: profile.uuid,
  raProfileUuid: profile.family === 'raProfile' ? (profile.raProfile?.uuid ?? null) : null,
});

function assertRules(
  { profile }: SignedCall,
  facts: { readonly contact: readonly string[]; readonly agreed: boolean },
): void {
  if (profile.requireContact && facts.contact.length === 0)
    throw rejection(
      'invalidContact',
      'This directory requires accounts to have a contact, e.g. mailto:admin@example.com.',
    );
  if (profile.requireTermsOfService && !facts.agreed) {
    const url = profile.termsOfServiceUrl;
    const where = url === undefined ? {} : { instance: url, headers: { link: linkTo(url, 'terms-of-service') } };
    throw rejection(
      'userActionRequired',
      'You must agree to the terms of service: send "termsOfServiceAgreed": true.',
      where,
    );
  }
}
