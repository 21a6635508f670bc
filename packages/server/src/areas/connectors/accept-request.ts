// Where and how a connector is to be reached, as a request states it: the address in the form in which it is kept, and
// the settings that authenticate calls.
import type { ConnectorRequestDto, ConnectorUpdateRequestDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { EgressError } from '../../platform/net/egress.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptAuthSettings, keepHidden, type AuthSettings, type AuthVault } from './authentication.ts';
import type { StoredConnector } from './store.ts';

/** The URL in the form in which it is kept; refuses those that must not be called. */
export function acceptUrl({ egress }: Platform, text: string): string {
  try {
    const url = egress.assertUrl(text);
    if (url.search !== '' || url.hash !== '')
      throw rejected('The URL of a connector has neither a query nor a fragment.');
    return text.replace(/\/+$/, '');
  } catch (error) {
    if (error instanceof EgressError) throw rejected(error.message);
    throw error;
  }
}

export const acceptAuth = ({
  authType,
  authAttributes,
}: Pick<ConnectorRequestDto, 'authType' | 'authAttributes'>): Promise<AuthSettings> =>
  acceptAuthSettings(authType, authAttributes);

export interface AuthChange extends Pick<ConnectorUpdateRequestDto, 'authType' | 'authAttributes'> {
  readonly url: string;
}

/**
 * Authentication changes as a whole. Values that are never shown may be left out and are then kept, but not for another
 * address: whoever may edit a connector must not be able to have its secrets sent to a server of their own.
 */
export async function acceptAuthChange(
  { vault }: { readonly vault: AuthVault },
  stored: StoredConnector,
  change: AuthChange,
): Promise<AuthSettings> {
  const before = vault.open(stored.uuid, stored);
  const isSameAddress = originOf(change.url) === originOf(stored.url);
  if (change.authType === undefined) {
    if (isSameAddress || before.attributes.length === 0) return before;
    throw rejected('The connector gets another address: send its authentication again.');
  }
  const { authType, authAttributes } = change;
  const mayKeep = isSameAddress && authType === before.authType;
  if (mayKeep && authAttributes === undefined) return before;
  const requested = authAttributes ?? [];
  return acceptAuth({
    authType,
    authAttributes: mayKeep ? keepHidden(requested, before.attributes) : requested,
  });
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;
