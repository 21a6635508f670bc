// A connector's URL and authentication settings, as specified in a request: converts the URL to its stored form and
// accepts the settings that authenticate calls.
import type { ConnectorRequestDto, ConnectorUpdateRequestDto } from '@signetry/contract';
import { rejected } from '../../kernel/errors.ts';
import { EgressError } from '../../platform/net/egress.ts';
import type { Platform } from '../../platform/platform.ts';
import { acceptAuthSettings, retainHidden, type AuthSettings, type AuthVault } from './authentication.ts';
import type { StoredConnector } from './store.ts';

/** Returns the URL in its stored form; rejects URLs that must not be called. */
export function acceptUrl({ egress }: Platform, text: string): string {
  try {
    const url = egress.assertUrl(text);
    if (url.search !== '' || url.hash !== '')
      throw rejected('The URL of a connector must not have a query or a fragment.');
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
 * Authentication settings are replaced as a whole. Values that are never shown can be omitted and are then retained,
 * but only if the origin stays the same: a user who can edit a connector must not be able to have its secrets sent to
 * their own server.
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
    throw rejected("The connector URL's origin has changed: send its credentials again.");
  }
  const { authType, authAttributes } = change;
  const mayKeep = isSameAddress && authType === before.authType;
  if (mayKeep && authAttributes === undefined) return before;
  const requested = authAttributes ?? [];
  return acceptAuth({
    authType,
    authAttributes: mayKeep ? retainHidden(requested, before.attributes) : requested,
  });
}

const originOf = (url: string): string => URL.parse(url)?.origin ?? url;
