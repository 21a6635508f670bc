// PKCS #11 libraries that the operator allows the connector to load, by name. Loading a library executes its code, so
// requests cannot specify a path.
import { rejected, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import { createModuleClient, type ModuleClient, type ModuleLimits } from './module/module-client.ts';
import type { TokenFacts } from './module/protocol.ts';

export interface Library {
  readonly name: string;
  readonly path: string;
  readonly client: ModuleClient;
  /** Returns the tokens that a newly started process sees. Some libraries enumerate tokens only once. */
  look(): Promise<readonly TokenFacts[]>;
}

export interface Libraries {
  readonly all: readonly Library[];
  /** Returns an existing token's library. Throws 503 if the library is no longer configured. */
  get(name: string): Library;
  /** Returns the library that a caller chose. Throws 422 if the library is not configured. */
  chosen(name: string): Library;
  stop(): Promise<void>;
}

export const NONE_CONFIGURED =
  'No PKCS #11 library is configured. The operator must specify the libraries that can be loaded, e.g. --pkcs11-libraries softhsm=/usr/lib/softhsm/libsofthsm2.so';

export function createLibraries(
  { libraries = {} }: Pick<ConnectorContext, 'libraries'>,
  limits: Partial<ModuleLimits> = {},
): Libraries {
  const all = Object.entries(libraries).map(([name, path]): Library => ({
    name,
    path,
    client: createModuleClient({ path, limits }),
    look: async () => {
      const client = createModuleClient({ path, limits });
      try {
        return (await client.call('describe', {})).tokens;
      } finally {
        await client.stop();
      }
    },
  }));
  const find = (name: string): Library | undefined => all.find((each) => each.name === name);
  const names = all.map(({ name }) => name).join(', ');
  return {
    all,
    get: (name) => {
      const found = find(name);
      if (found) return found;
      throw unavailable(`Library ${name} of this token is not configured. Start with --pkcs11-libraries ${name}=PATH.`);
    },
    chosen: (name) => {
      const found = find(name);
      if (found) return found;
      throw rejected(
        all.length === 0
          ? `${NONE_CONFIGURED}.`
          : `Library "${name.slice(0, 60)}" is not configured. Configured: ${names}.`,
      );
    },
    stop: async () => {
      await Promise.all(all.map(({ client }) => client.stop()));
    },
  };
}
