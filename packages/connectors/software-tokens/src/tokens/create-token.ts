// Creates a token and activates it in this process, since its creator knows the code.
import { rejected } from '@signetry/connector-sdk';
import type { TokenSpec } from '../attributes/token-attributes.ts';
import { unattendedDataKeyPurpose } from '../declaration.ts';
import type { ConnectorParts } from '../parts.ts';
import { closeWithCode, newDataKey } from './activation-code.ts';
import { ActiveToken } from './active-token.ts';
import type { TokenRow } from './token-store.ts';

export interface NewToken {
  readonly uuid: string;
  readonly name: string;
  readonly wish: TokenSpec;
}

/** Can be repeated with the same identifier: an existing token is left unchanged. */
export async function createToken(parts: ConnectorParts, { uuid, name, wish }: NewToken): Promise<TokenRow> {
  const known = await parts.store.find(uuid);
  if (known) return known;
  const { code, allowsImport = false, staysActive = false } = wish;
  if (code === undefined) throw new Error('A token without an activation code passed validation.');
  const { context, store, active, slowLane, codeCost } = parts;
  const dataKey = newDataKey();
  const isOurs = await store.insert({
    ...(await slowLane(() => closeWithCode(context, { uuid, code, dataKey }, codeCost))),
    uuid,
    name,
    allows_import: allowsImport,
    stays_active: staysActive,
    sealed_unattended_key: staysActive ? context.seal(dataKey, unattendedDataKeyPurpose(uuid)) : null,
    created_at: context.clock.now(),
  });
  const row = await store.find(uuid);
  if (!row) throw rejected('The token was removed while it was being created.');
  // If another node resumed the same call first, its data key is stored, and the one generated here is not used.
  if (isOurs) active.add(new ActiveToken(uuid, dataKey, row));
  else dataKey.fill(0);
  return row;
}
