// Use cases of the authentication settings: OAuth 2.0 providers, and whether a caller on this machine can set up the
// first administrator. They determine who callers are, so changing them requires full permissions and is never possible
// with a scoped token. A change and its audit record share a transaction.
import type {
  AuthenticationSettingsDto,
  AuthenticationSettingsUpdateDto,
  OAuth2ProviderSettingsDto,
  OAuth2ProviderSettingsResponseDto,
  OAuth2ProviderSettingsUpdateDto,
  ProviderProvisioning,
} from '@signetry/contract';
import type { RequestContext } from '../../../kernel/actor.ts';
import { requireFound, isAppError, rejected } from '../../../kernel/errors.ts';
import { createExpiringCache } from '../../../kernel/expiring-cache.ts';
import type { SealedColumn } from '../../../platform/crypto/sealed-column.ts';
import { isUniqueViolation } from '../../../platform/database/database-errors.ts';
import type { Executor } from '../../../platform/database/database.ts';
import type { Platform } from '../../../platform/platform.ts';
import { createSettingsSection } from '../../../platform/settings/section.ts';
import type { AuditTrail } from '../../audit/index.ts';
import { requireGroups } from '../../groups/index.ts';
import { assertFullPermissions } from '../permissions/held.ts';
import { roles } from '../permissions/store-roles.ts';
import type { ProviderRow, ProviderSettings } from '../tables.ts';
import { DEFAULT_IDLE_S, DEFAULT_SKEW_S, problemsOf } from './provider-settings.ts';
import { presentKey, type ProviderKey } from './key-set.ts';
import { fetchKeySet, type KeySets } from './key-sets.ts';
import { ProviderFault, type ProviderHttp } from './provider-http.ts';
import { provisioningOf } from './provisioning.ts';
import * as store from './store.ts';

export const clientSecretColumn: SealedColumn = {
  table: 'oauth2_provider',
  key: 'name',
  keyType: 'text',
  column: 'sealed_client_secret',
  form: 'bytes',
  purpose: ({ name = '' }) => purpose(name),
};

const purpose = (name: string): string => `client secret of the provider ${name}`;

export type Providers = ReturnType<typeof createProviders>;

export interface ProvidersParts {
  readonly audit: AuditTrail;
  readonly http: ProviderHttp;
  readonly keySets: KeySets;
}

export function createProviders(platform: Platform, { audit, http, keySets }: ProvidersParts) {
  const { database, clock, sealer } = platform;
  const section = createSettingsSection(platform, { name: 'authentication', initial: { disableLocalhostUser: false } });
  const known = createExpiringCache({ clock, load: (_all: 'all') => store.findAll(database.executor) });

  function forget(): void {
    section.forget();
    known.invalidate();
  }

  async function change(request: AuthenticationSettingsUpdateDto, context: RequestContext): Promise<void> {
    assertFullPermissions(context, 'authentication settings');
    const { disableLocalhostUser, oauth2Providers: providers } = request;
    await assertSound(http, providers ?? []);
    const names = providers?.map(({ name }) => name);
    await database.transaction(async (tx) => {
      await section.change(tx, () => ({ disableLocalhostUser }));
      const removed = names ? await store.removeAllBut(tx, names) : [];
      for (const provider of providers ?? []) await save(platform, tx, provider);
      const data = { disableLocalhostUser, ...(names ? { providers: names, removed } : {}) };
      await audit.append(tx, context, { objects: [{ name: 'authentication' }], data });
    });
    forget();
  }

  async function changeProvider(
    name: string,
    { request, context }: { readonly request: OAuth2ProviderSettingsUpdateDto; readonly context: RequestContext },
  ): Promise<void> {
    assertFullPermissions(context, `provider ${name}`);
    await assertSound(http, [{ ...request, name }]);
    await database.transaction(async (tx) => {
      await save(platform, tx, { ...request, name });
      await audit.append(tx, context, { objects: [{ name }] });
    });
    forget();
  }

  async function removeProvider(name: string, context: RequestContext): Promise<void> {
    assertFullPermissions(context, `provider ${name}`);
    await database.transaction(async (tx) => {
      if (!(await store.removeOne(tx, name))) requireFound(undefined, 'OAuth2 provider', name);
      await audit.append(tx, context, { objects: [{ name }] });
    });
    forget();
  }

  const requireProvider = async (name: string): Promise<ProviderRow> =>
    requireFound(await store.findOne(database.executor, name), 'OAuth2 provider', name);

  return {
    settings: async (): Promise<AuthenticationSettingsDto> => {
      const [{ disableLocalhostUser }, rows] = await Promise.all([section.current(), known.get('all')]);
      return { disableLocalhostUser, oauth2Providers: Object.fromEntries(rows.map((row) => [row.name, present(row)])) };
    },
    change,
    detail: async (name: string): Promise<OAuth2ProviderSettingsResponseDto> => {
      const row = await requireProvider(name);
      return { ...present(row), jwkSetKeys: (await keysToShow(keySets, row)).map(presentKey) };
    },
    changeProvider,
    removeProvider,
    provisioning: async (name: string) => provisioningOf(await requireProvider(name)),
    changeProvisioning: (name: string, change: ProvisioningChange) =>
      changeProvisioning({ database, clock, audit }, name, change).finally(forget),
    existing: requireProvider,
    clientSecretOf: ({ name, sealed_client_secret: sealed }: ProviderRow): string =>
      sealed ? Buffer.from(sealer.open(sealed, purpose(name))).toString() : '',
    /** Returns all providers from this node's cache, at most a few seconds old. */
    all: () => known.get('all'),
    mayBootstrapLocally: async () => !(await section.current()).disableLocalhostUser,
    forget,
  };
}

interface ProvisioningChange {
  readonly request: ProviderProvisioning;
  readonly context: RequestContext;
}

async function changeProvisioning(
  { database, clock, audit }: Pick<Platform, 'database' | 'clock'> & { readonly audit: AuditTrail },
  name: string,
  { request, context }: ProvisioningChange,
): Promise<ProviderProvisioning> {
  assertFullPermissions(context, `provider ${name}`);
  return database.transaction(async (tx) => {
    const provider = requireFound(await store.hold(tx, name), 'OAuth2 provider', name);
    const { requireAccessTokenType, claims, grantedGroupUuids } = provisioningOf(provider);
    const provisioning = { requireAccessTokenType, claims, grantedGroupUuids, ...request };
    for (const uuid of request.grantedRoleUuids) await roles.require(tx, uuid);
    if (request.grantedGroupUuids) await requireGroups(tx, request.grantedGroupUuids);
    await store.saveProvisioning(tx, name, { provisioning, now: clock.now() });
    await audit.append(tx, context, { objects: [{ name }], data: { provisioning } });
    return provisioningOf({ provisioning });
  });
}

/** Stores a provider. Keeps the stored client secret if the request's is absent or empty. */
async function save({ clock, sealer }: Platform, tx: Executor, provider: OAuth2ProviderSettingsDto): Promise<void> {
  const { name, clientSecret, ...rest } = provider;
  const now = clock.now();
  const before = await store.hold(tx, name);
  const settings = rest as ProviderSettings; // `assertSound` has checked the issuer.
  const sealed = clientSecret ? sealer.seal(Buffer.from(clientSecret), purpose(name)) : before?.sealed_client_secret;
  try {
    await store.save(tx, {
      name,
      issuer_url: settings.issuerUrl,
      settings,
      sealed_client_secret: sealed ?? null,
      created_at: before?.created_at ?? now,
      updated_at: now,
    });
  } catch (error) {
    if (!isUniqueViolation(error, 'oauth2_provider_issuer_key')) throw error;
    throw rejected(
      `The issuer ${settings.issuerUrl} already belongs to another provider; a token specifies only its issuer.`,
    );
  }
}

async function assertSound(http: ProviderHttp, providers: readonly OAuth2ProviderSettingsDto[]): Promise<void> {
  const names = providers.map(({ name }) => name);
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  const problems = [
    ...twice.map((name) => `The provider ${name} is specified more than once.`),
    ...providers.flatMap(problemsOf),
  ];
  if (problems.length > 0) throw rejected(...problems);
  const faults = (await Promise.all(providers.map((provider) => faultsOfKeys(http, provider)))).flat();
  if (faults.length > 0) throw rejected(...faults);
}

/** Checks the keys, because a provider whose keys cannot be fetched would reject everyone. */
async function faultsOfKeys(http: ProviderHttp, { name, jwkSetUrl }: OAuth2ProviderSettingsDto): Promise<string[]> {
  if (jwkSetUrl === undefined) return [];
  try {
    await fetchKeySet(http, jwkSetUrl);
    return [];
  } catch (error) {
    if (!(error instanceof ProviderFault)) throw error;
    return [`The JWK set URL ${jwkSetUrl} of the provider ${name} ${error.message}.`];
  }
}

/** Returns the keys to display, or none if they cannot be fetched. The settings can be displayed without them. */
async function keysToShow(keySets: KeySets, row: ProviderRow): Promise<readonly ProviderKey[]> {
  try {
    return await keySets.current(row);
  } catch (error) {
    if (isAppError(error, 'unavailable')) return [];
    throw error;
  }
}

const present = ({ name, settings }: ProviderRow): OAuth2ProviderSettingsDto => ({
  ...settings,
  name,
  skew: settings.skew ?? DEFAULT_SKEW_S,
  sessionMaxInactiveInterval: settings.sessionMaxInactiveInterval ?? DEFAULT_IDLE_S,
});
