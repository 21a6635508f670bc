// Credentials: secrets of a kind defined by a connector, stored once and referenced by attributes of other objects.
// Owns: credential. Invariants: names are unique; secrets are sent only to connectors; a credential in use cannot be
// removed.
import { isVisible, visibleObjects, type Actor } from '../../kernel/actor.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import { credentialRoutes } from './routes.ts';
import { createCredentialService, type CredentialParts } from './service.ts';
import { credentials, holdForUse } from './store.ts';

export interface Credentials {
  /** Returns the enabled credentials of a kind that the actor can choose, sorted by name. */
  choices(kind: string, actor: Actor): Promise<{ readonly uuid: string; readonly name: string }[]>;
}

export function createCredentialsArea(platform: Platform, parts: CredentialParts): Area & Credentials {
  const { executor } = platform.database;
  const service = createCredentialService(platform, parts);
  parts.connectors.registerDependants({ what: 'Credentials', ...credentials.referringBy('connector_uuid') });
  parts.attributes.registerCredentialSource({
    find: (uuids) => credentials.findMany(executor, uuids.filter(isUuid)),
    expand: async (uuid) => (isUuid(uuid) ? service.expand(uuid) : undefined),
    hold: (tx, uuids) => holdForUse(tx, uuids.filter(isUuid)),
  });

  return {
    routes: credentialRoutes(service),
    objectNames: { credentials: credentials.findNames },
    choices: async (kind, actor) => {
      const listed = visibleObjects(actor.permissions, 'credentials', 'list');
      const usable = visibleObjects(actor.permissions, 'credentials', 'detail');
      const all = await credentials.findAll(executor);
      return all
        .filter((row) => row.enabled && row.kind === kind && isVisible(listed, row.uuid) && isVisible(usable, row.uuid))
        .map(({ uuid, name }) => ({ uuid, name }));
    },
  };
}
