// Use cases for administrators: the provider identities with which a user signs in.
import type { ExternalIdentity, ExternalIdentityRequest } from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { AppError, requireFound } from '../../../kernel/errors.ts';
import { newUuid } from '../../../kernel/ids.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import type { AuditTrail } from '../../audit/index.ts';
import type { Providers } from '../providers/service.ts';
import type { ExternalIdentityRow, ProviderRow } from '../tables.ts';
import { requireChangeableUser, type Administration } from '../users/administration.ts';
import * as users from '../users/store.ts';
import * as store from './store.ts';

export interface ExternalLinksParts {
  readonly audit: AuditTrail;
  readonly administration: Administration;
  readonly providers: Pick<Providers, 'all'>;
  /** Ends a user's sessions and deletes the links that could open one. */
  readonly endSignIns: (tx: Executor, userUuid: string) => Promise<void>;
}

export type ExternalLinks = ReturnType<typeof createExternalLinks>;

export function createExternalLinks(platform: Platform, parts: ExternalLinksParts) {
  const { database, clock } = platform;
  const { audit, administration, providers, endSignIns } = parts;

  async function list(userUuid: string): Promise<ExternalIdentity[]> {
    requireFound(await users.findOne(database.executor, userUuid), 'User', userUuid);
    const [rows, known] = [await store.identitiesOf(database.executor, userUuid), await providers.all()];
    return rows.map((row) => present(row, known));
  }

  async function link(
    userUuid: string,
    { request, context }: { readonly request: ExternalIdentityRequest; readonly context: RequestContext },
  ): Promise<ExternalIdentity> {
    const { providerName, subject } = request;
    const known = await providers.all();
    const provider = requireFound(
      known.find(({ name }) => name === providerName),
      'OAuth2 provider',
      providerName,
    );
    const identity = { uuid: newUuid(), issuer_url: provider.issuer_url, subject, created_at: clock.now() };
    try {
      await administration.change(async (tx) => {
        const user = await administration.accessibleUser(tx, userUuid, context);
        await store.insertIdentity(tx, { ...identity, user_uuid: user.uuid });
        const objects = [{ uuid: user.uuid, name: user.username }];
        await audit.append(tx, context, { objects, data: { linked: { provider: providerName, subject } } });
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'external_identity_issuer_url_subject_key')) throw error;
      throw new AppError(
        'already_exists',
        { what: 'Identity', name: `${subject} of ${providerName}` },
        { cause: error },
      );
    }
    return present({ ...identity, user_uuid: userUuid }, known);
  }

  async function unlink(
    userUuid: string,
    { uuid, context }: { readonly uuid: string; readonly context: RequestContext },
  ): Promise<void> {
    await administration.change(async (tx) => {
      const user = await requireChangeableUser(tx, userUuid, context);
      const { issuer_url: issuer, subject } = requireFound(
        await store.removeIdentity(tx, { userUuid: user.uuid, uuid }),
        'External identity',
        uuid,
      );
      await endSignIns(tx, user.uuid);
      const objects = [{ uuid: user.uuid, name: user.username }];
      await audit.append(tx, context, { objects, data: { unlinked: { issuer, subject } } });
    });
  }

  return { list, link, unlink };
}

function present(
  { uuid, issuer_url: issuerUrl, subject, created_at }: ExternalIdentityRow,
  providers: readonly ProviderRow[],
): ExternalIdentity {
  const provider = providers.find(({ issuer_url }) => issuer_url === issuerUrl);
  return {
    uuid,
    issuerUrl,
    subject,
    ...(provider ? { providerName: provider.name } : {}),
    createdAt: created_at.toISOString(),
  };
}
