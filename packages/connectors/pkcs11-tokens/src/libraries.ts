// The PKCS#11 libraries that the operator lets the connector load, by name. Loading a library runs its code, so no
// request names a path.
import { rejected, unavailable, type ConnectorContext } from '@signetry/connector-sdk';
import { createModuleClient, type ModuleClient, type ModuleLimits } from './module/module-client.ts';
import type { TokenFacts } from './module/protocol.ts';

export interface Library {
  readonly name: string;
  readonly path: string;
  readonly client: ModuleClient;
  /** The tokens as a process sees them that has just loaded the library: some libraries list them once. */
  look(): Promise<readonly TokenFacts[]>;
}

export interface Libraries {
  readonly all: readonly Library[];
  /** Of a token that exists: refuses (503) when the operator no longer configures the library. */
  get(name: string): Library;
  /** As a caller chose it: refuses (422) what is not configured. */
  chosen(name: string): Library;
  stop(): Promise<void>;
}

export const NONE_CONFIGURED =
  'No PKCS#11 library is configured. The operator names those that may be loaded, e.g. --pkcs11-libraries softhsm=/usr/lib/softhsm/libsofthsm2.so';

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
      throw unavailable(
        `The library ${name} of this token is not configured; start with --pkcs11-libraries ${name}=PATH.`,
      );
    },
    chosen: (name) => {
      const found = find(name);
      if (found) return found;
      throw rejected(
        all.length === 0
          ? `${NONE_CONFIGURED}.`
          : `The library "${name.slice(0, 60)}" is not configured; there is ${names}.`,
      );
    },
    stop: async () => {
      await Promise.all(all.map(({ client }) => client.stop()));
    },
  };
}
