// Changes a token: its name, its code, whether it stays active and whether keys can be imported. Omitted properties
// stay unchanged.
import { rejected } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { readTokenSpec, TOKEN, type TokenSpec } from '../attributes/token-attributes.ts';
import { unattendedDataKeyPurpose } from '../declaration.ts';
import type { ConnectorParts } from '../parts.ts';
import { closeWithCode } from './activation-code.ts';
import type { CorrectCode } from './code-attempts.ts';
import type { TokenRow } from './token-store.ts';

interface Change {
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
}

export async function updateToken(parts: ConnectorParts, row: TokenRow, { name, attributes }: Change): Promise<void> {
  const { store, slowLane, context, codeCost, active } = parts;
  const { uuid } = row;
  const wish = readTokenSpec(attributes, 'change');
  const { newCode, allowsImport, staysActive } = wish;
  const opened = await openIfRequired(parts, row, wish);
  try {
    // The new code may equal the current one: the call was repeated, or a platform sent stored values.
    const isNew = opened !== undefined && newCode !== undefined && opened.code !== newCode;
    const code = isNew
      ? await slowLane(() => closeWithCode(context, { uuid, code: newCode, dataKey: opened.dataKey }, codeCost))
      : undefined;
    await store.update(uuid, { name, allowsImport, staysActive, code });
    // If the token is not active in this process, the setting takes effect at its next activation.
    if (opened && staysActive && active.peek(uuid))
      await store.keepActive(uuid, opened.row, context.seal(opened.dataKey, unattendedDataKeyPurpose(uuid)));
  } finally {
    opened?.dataKey.fill(0);
  }
}

/** Changes that weaken key protection require the code. The platform authorizes all other changes. */
async function openIfRequired(
  { attempts }: ConnectorParts,
  { uuid, stays_active }: TokenRow,
  { code, newCode, staysActive }: TokenSpec,
): Promise<CorrectCode | undefined> {
  const willStay = staysActive === true && !stays_active;
  if (newCode === undefined && !willStay) return undefined;
  if (code === undefined) throw rejected(`To keep a token active, also specify its activation code (${TOKEN.code}).`);
  return attempts.open(uuid, newCode === undefined ? [code] : [code, newCode]);
}
