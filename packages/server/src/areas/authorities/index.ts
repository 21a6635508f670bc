// Authorities: certification authorities configured at a connector. Owns: authority. Invariants: names are unique; an
// authority with RA profiles can only be removed forcibly; an authority that is being removed is not used for new RA
// profiles.
import type { AuthorityInstanceRequestDto } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Area, Platform } from '../../platform/platform.ts';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import { createDependentRegistry, type Connectors, type Dependents } from '../connectors/index.ts';
import { createAuthorityAccess, type AuthorityAccess } from './authority-access.ts';
import { createAuthorityRemoval } from './remove-authority.ts';
import { authorityRoutes } from './routes.ts';
import { createAuthorityService } from './service.ts';
import { authorities, holdForUse } from './store.ts';
import { createSubordinates, type Subordinates } from './subordinates.ts';
import { createSigningKeyUsers, type SigningKeyUsers } from './signing-key-users.ts';

export type { AuthorityFacts } from './authority-access.ts';

/** Operations that other areas use. */
export interface Authorities extends Pick<
  AuthorityAccess,
  | 'find'
  | 'reach'
  | 'raProfileDefinitions'
  | 'acceptRaProfileAttributes'
  | 'completeRaProfileAttributes'
  | 'raProfileAttributesToSend'
> {
  create(request: AuthorityInstanceRequestDto, context: RequestContext): Promise<string>;
  findByName(name: string): Promise<{ readonly uuid: string; readonly name: string } | undefined>;
  /** Returns the names of the authorities that exist, by identifier. */
  names(uuids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Locks the authority against removal until the transaction ends; throws 404 if it does not exist, 422 if it is being
   * removed.
   */
  holdForUse(tx: Executor, uuid: string): Promise<void>;
  /** For subordinate authorities. */
  readonly subordinates: Subordinates;
  registerDependants(dependants: Dependents): void;
  /** Finds authorities that sign with keys in tokens. */
  readonly usersOfKeys: SigningKeyUsers;
}

export function createAuthoritiesArea(
  platform: Platform,
  areas: { readonly audit: AuditTrail; readonly attributes: AttributeEngine; readonly connectors: Connectors },
): Area & Authorities {
  const { database } = platform;
  const access = createAuthorityAccess(platform, areas);
  const dependants = createDependentRegistry();
  const service = createAuthorityService(platform, { ...areas, access });
  const removal = createAuthorityRemoval({ access, dependants, service });
  areas.connectors.registerDependants({
    what: 'Authorities',
    ...authorities.referringBy('connector_uuid'),
  });

  return {
    routes: authorityRoutes({ service, removal, access }),
    objectNames: { authorities: authorities.findNames },
    find: access.find,
    reach: access.reach,
    raProfileDefinitions: access.raProfileDefinitions,
    acceptRaProfileAttributes: access.acceptRaProfileAttributes,
    completeRaProfileAttributes: access.completeRaProfileAttributes,
    raProfileAttributesToSend: access.raProfileAttributesToSend,
    create: service.create,
    findByName: (name) => authorities.findByName(database.executor, name),
    names: async (uuids) =>
      new Map((await authorities.findMany(database.executor, uuids)).map(({ uuid, name }) => [uuid, name])),
    holdForUse: async (tx, uuid) => {
      const row = await holdForUse(tx, uuid);
      if (!row) throw notFound('Authority', uuid);
      if (row.status === 'removing') {
        throw new AppError('invalid_state', {
          what: 'Authority',
          name: row.name,
          state: 'being removed',
          needed: 'an authority that is not being removed',
        });
      }
    },
    subordinates: createSubordinates(platform, access),
    registerDependants: dependants.register,
    usersOfKeys: createSigningKeyUsers(areas),
  };
}
