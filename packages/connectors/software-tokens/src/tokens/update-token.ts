// Changes a token: its name, its code, whether it stays active and takes keys from elsewhere. What is left out stays.
import { rejected } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { readTokenWish, TOKEN, type TokenWish } from '../attributes/token-attributes.ts';
import { unattendedDataKeyPurpose } from '../declaration.ts';
import type { ConnectorParts } from '../parts.ts';
import { closeWithCode } from './activation-code.ts';
import type { RightCode } from './code-attempts.ts';
import type { TokenRow } from './token-store.ts';

interface Change {
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
}

export async function updateToken(parts: ConnectorParts, row: TokenRow, { name, attributes }: Change): Promise<void> {
  const { store, slowLane, context, codeCost, active } = parts;
  const { uuid } = row;
  const wish = readTokenWish(attributes, 'change');
  const { newCode, allowsImport, staysActive } = wish;
  const opened = await openWhereNeeded(parts, row, wish);
  try {
    // The new code may be the present one: the call was repeated, or a platform sent what it has stored.
    const isNew = opened !== undefined && newCode !== undefined && opened.code !== newCode;
    const code = isNew
      ? await slowLane(() => closeWithCode(context, { uuid, code: newCode, dataKey: opened.dataKey }, codeCost))
      : undefined;
    await store.update(uuid, { name, allowsImport, staysActive, code });
    // One that is not active here stays active from its next activation on.
    if (opened && staysActive && active.peek(uuid))
      await store.keepActive(uuid, opened.row, context.seal(opened.dataKey, unattendedDataKeyPurpose(uuid)));
  } finally {
    opened?.dataKey.fill(0);
  }
}

/** What weakens the protection of the keys needs the code; the rest is the platform's to permit. */
async function openWhereNeeded(
  { attempts }: ConnectorParts,
  { uuid, stays_active }: TokenRow,
  { code, newCode, staysActive }: TokenWish,
): Promise<RightCode | undefined> {
  const willStay = staysActive === true && !stays_active;
  if (newCode === undefined && !willStay) return undefined;
  if (code === undefined)
    throw rejected(`For a token to stay active, give its activation code as well (${TOKEN.code}).`);
  return attempts.open(uuid, newCode === undefined ? [code] : [code, newCode]);
}
