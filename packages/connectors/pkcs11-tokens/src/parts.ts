// Assembles the connector's parts.
import type { ConnectorContext } from '@signetry/connector-sdk';
import { KeyStore } from './keys/key-store.ts';
import { createKeyTurns } from './keys/key-turns.ts';
import { createKeyParts, type KeyParts } from './keys/keys.ts';
import { createLibraries, type Libraries } from './libraries.ts';
import { createTokenAccess, type TokenAccess } from './tokens/token-access.ts';
import { TokenStore } from './tokens/token-store.ts';

export interface ConnectorParts {
  readonly libraries: Libraries;
  readonly tokens: TokenStore;
  readonly access: TokenAccess;
  readonly keys: KeyParts;
}

export function createParts(context: ConnectorContext): ConnectorParts {
  const { storage, randomBytes } = context;
  const libraries = createLibraries(context);
  const tokens = new TokenStore(storage);
  const access = createTokenAccess({ context, store: tokens, libraries });
  const keys = createKeyParts({
    store: new KeyStore(storage),
    access,
    turns: createKeyTurns(),
    randomBytes,
    libraries,
  });
  return { libraries, tokens, access, keys };
}
