// Changes a token: its name, its code, whether it stays active and takes keys from elsewhere. What is left out stays.
import type { RequestAttributeDto } from '@signetry/contract';
import { readTokenWish } from '../attributes/token-attributes.ts';
import type { ConnectorParts } from '../parts.ts';
import { closeWithCode, type CodeColumns } from './activation-code.ts';
import type { TokenRow } from './token-store.ts';

export async function updateToken(
  parts: ConnectorParts,
  { uuid }: Pick<TokenRow, 'uuid'>,
  { name, attributes }: { readonly name: string; readonly attributes: readonly RequestAttributeDto[] },
): Promise<void> {
  const { store, active, context } = parts;
  const { code, newCode, allowsImport, staysActive } = readTokenWish(attributes, 'change');
  const changed =
    code !== undefined && newCode !== undefined ? await changeCode(parts, uuid, { code, newCode }) : undefined;
  await store.update(uuid, { name, allowsImport, staysActive, code: changed });
  const token = active.peek(uuid);
  if (staysActive && token) await store.keepActive(uuid, token, token.sealUnattended(context));
}

/** Nothing where the new code is the present one: the call was repeated, or a platform sent what it has stored. */
async function changeCode(
  { attempts, context, slowLane, codeCost }: ConnectorParts,
  uuid: string,
  { code, newCode }: { readonly code: string; readonly newCode: string },
): Promise<CodeColumns | undefined> {
  const opened = await attempts.open(uuid, [code, newCode]);
  try {
    if (opened.code === newCode) return undefined;
    return await slowLane(() => closeWithCode(context, { uuid, code: newCode, dataKey: opened.dataKey }, codeCost));
  } finally {
    opened.dataKey.fill(0);
  }
}
