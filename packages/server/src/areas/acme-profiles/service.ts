// Use cases of ACME profiles. The authority of an RA profile is asked before the transaction, never inside one.
import type {
  AcmeProfileDto,
  AcmeProfileEditRequestDto,
  AcmeProfileListDto,
  AcmeProfileRequestDto,
} from '@signetry/contract';
import type { AttributeEngine } from '../attributes/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { AppError, notFound, rejected } from '../../kernel/errors.ts';
import { isUuid, newUuid } from '../../kernel/ids.ts';
import { isUniqueViolation } from '../../platform/database/database-errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/platform.ts';
import {
  noAttributes,
  profileHolder,
  type CertificateAttributes,
  type CertificateAttributeValues,
} from './certificate-attributes.ts';
import type { AcmeProfileRow } from './tables.ts';
import type { Associations } from './associations.ts';
import { DNS_PORT, portOf, problemsOfName, problemsOfSettings, resolverOf, type Settings } from './settings.ts';
import { presentListedProfile, presentProfile } from './present.ts';
import * as store from './store.ts';

export interface AcmeProfileServiceParts {
  readonly audit: AuditTrail;
  readonly attributes: AttributeEngine;
  readonly raProfiles: RaProfiles;
  readonly certificateAttributes: CertificateAttributes;
  readonly associations: Associations;
  readonly directoryBase: () => string;
  /** Called after a change was committed. */
  readonly onChange: () => void;
}

/** The RA profile that a profile is to have, with the attributes that its authority accepted. */
interface Issuing {
  readonly raProfileUuid: string | null;
  readonly connectorUuid: string | null;
  readonly values: CertificateAttributeValues;
}

const withoutRaProfile: Issuing = { raProfileUuid: null, connectorUuid: null, values: noAttributes };

export type AcmeProfileService = ReturnType<typeof createAcmeProfileService>;

export function createAcmeProfileService(platform: Platform, parts: AcmeProfileServiceParts) {
  const { database, clock } = platform;
  const { audit, attributes, raProfiles, certificateAttributes, associations, directoryBase, onChange } = parts;

  async function list(): Promise<AcmeProfileListDto[]> {
    const rows = await store.findAll(database.executor);
    const used = rows.flatMap(({ ra_profile_uuid: uuid }) => (uuid === null ? [] : [uuid]));
    const known = new Map((await raProfiles.findMany(used)).map((facts) => [facts.uuid, facts]));
    const base = directoryBase();
    return rows.map((row) =>
      presentListedProfile(row, { raProfile: known.get(row.ra_profile_uuid ?? ''), directoryBase: base }),
    );
  }

  async function require(uuid: string): Promise<AcmeProfileRow> {
    const row = await store.findOne(database.executor, uuid);
    if (!row) throw notFound('ACME profile', uuid);
    return row;
  }

  async function detail(uuid: string): Promise<AcmeProfileDto> {
    const row = await require(uuid);
    return presentProfile(row, {
      raProfile: row.ra_profile_uuid === null ? undefined : await raProfiles.findByUuid(row.ra_profile_uuid),
      directoryBase: directoryBase(),
      association: await associations.read(row),
      ...(await certificateAttributes.read(profileHolder(row))),
    });
  }

  /** A new profile is disabled, unless the platform itself makes it. */
  async function create(
    request: AcmeProfileRequestDto,
    context: RequestContext,
    { enabled = false }: { readonly enabled?: boolean } = {},
  ): Promise<string> {
    refuse([...problemsOfName(request.name), ...problemsOfSettings(request)]);
    attributes.refuseCustomAttributes(request.customAttributes);
    const associated = await associations.accept(request.certificateAssociations);
    const [uuid, now] = [newUuid(), clock.now()];
    const issuing = await accept(uuid, request, context);
    const row = {
      uuid,
      name: request.name,
      enabled,
      external_account_required: false,
      caa_identities: [],
      authorization_reuse_s: 0,
      allow_loopback_validation: false,
      ...columnsOf(request),
      ...issuingColumns(issuing),
      ...associated,
      terms_of_service_change_disable: false,
      terms_of_service_change_url: null,
      created_at: now,
      updated_at: now,
    };
    await refusingTakenName(request.name, () =>
      database.transaction(async (tx) => {
        await hold(tx, issuing);
        await store.insert(tx, row);
        await certificateAttributes.replace(tx, profileHolder(row), issuing.values);
        const facts =
          context.audit ?? ({ module: 'protocols', resource: 'acmeProfiles', operation: 'create' } as const);
        await audit.append(tx, context, { facts, objects: [{ uuid, name: request.name }] });
      }),
    );
    onChange();
    return uuid;
  }

  async function edit(
    uuid: string,
    request: AcmeProfileEditRequestDto,
    context: RequestContext,
  ): Promise<AcmeProfileDto> {
    refuse(problemsOfSettings(request));
    attributes.refuseCustomAttributes(request.customAttributes);
    await require(uuid);
    const associated = await associations.accept(request.certificateAssociations);
    const issuing = await accept(uuid, request, context);
    const changes: store.ProfileChanges = {
      ...columnsOf(request),
      ...issuingColumns(issuing),
      ...associated,
      terms_of_service_change_disable: request.termsOfServiceChangeDisable,
      terms_of_service_change_url: request.termsOfServiceChangeUrl || null,
    };
    await change(uuid, { changes, issuing }, context);
    return detail(uuid);
  }

  /** The attributes of the profile stay where the authority of its new RA profile knows and accepts them. */
  async function setRaProfile(uuid: string, raProfileUuid: string, context: RequestContext): Promise<void> {
    await require(uuid);
    const raProfile = await raProfiles.forIssuingByUuid(raProfileUuid);
    const holder = profileHolder({ uuid, connector_uuid: raProfile.connectorUuid });
    const current = await certificateAttributes.readForRequests(holder);
    const values = await certificateAttributes.accept(current, { holder, raProfile, signal: context.signal });
    const issuing = { raProfileUuid: raProfile.uuid, connectorUuid: raProfile.connectorUuid, values };
    await change(uuid, { changes: issuingColumns(issuing), issuing }, context);
  }

  async function change(
    uuid: string,
    { changes, issuing }: { readonly changes: store.ProfileChanges; readonly issuing: Issuing },
    context: RequestContext,
  ): Promise<void> {
    await database.transaction(async (tx) => {
      await hold(tx, issuing);
      const [row] = await store.update(tx, [uuid], { ...changes, updated_at: clock.now() });
      if (!row) throw notFound('ACME profile', uuid);
      // Values under an earlier connector go as well.
      await attributes.removeObjects(tx, 'acmeProfiles', [uuid]);
      await certificateAttributes.replace(tx, profileHolder(row), issuing.values);
      await audit.append(tx, context, { objects: [{ uuid, name: row.name }] });
    });
    onChange();
  }

  /** The RA profile first: everybody who locks both locks in this order. */
  const hold = async (tx: Executor, { raProfileUuid }: Issuing): Promise<void> => {
    if (raProfileUuid !== null) await raProfiles.holdForUse(tx, raProfileUuid);
  };

  /** Has the authority of the requested RA profile judge the attributes. */
  async function accept(
    uuid: string,
    request: Pick<
      AcmeProfileEditRequestDto,
      'raProfileUuid' | 'issueCertificateAttributes' | 'revokeCertificateAttributes'
    >,
    context: RequestContext,
  ): Promise<Issuing> {
    const requested = { issue: request.issueCertificateAttributes, revoke: request.revokeCertificateAttributes };
    const raProfileUuid = request.raProfileUuid?.toLowerCase() ?? '';
    if (raProfileUuid === '') {
      if ((requested.issue?.length ?? 0) + (requested.revoke?.length ?? 0) === 0) return withoutRaProfile;
      throw rejected('raProfileUuid: is needed with attributes, which its authority defines and checks');
    }
    if (!isUuid(raProfileUuid)) throw notFound('RA profile', raProfileUuid.slice(0, 100));
    const raProfile = await raProfiles.forIssuingByUuid(raProfileUuid);
    const { connectorUuid } = raProfile;
    const holder = profileHolder({ uuid, connector_uuid: connectorUuid });
    const values = await certificateAttributes.acceptChange(requested, { holder, raProfile, signal: context.signal });
    return { raProfileUuid, connectorUuid, values };
  }

  /** Refuses a profile that is so already. */
  async function setEnabled(uuid: string, enabled: boolean, context: RequestContext): Promise<void> {
    await database.transaction(async (tx) => {
      const [row] = await store.lockMany(tx, [uuid]);
      if (!row) throw notFound('ACME profile', uuid);
      if (row.enabled === enabled)
        throw new AppError('invalid_state', {
          what: 'ACME profile',
          name: row.name,
          state: enabled ? 'enabled already' : 'disabled already',
          needed: enabled ? 'a disabled one' : 'an enabled one',
        });
      await applyEnabled(tx, { rows: [row], enabled }, context);
    });
    onChange();
  }

  /** Unknown profiles and those that are so already are skipped, so that a repeated call ends in the same state. */
  async function setEnabledMany(uuids: readonly string[], enabled: boolean, context: RequestContext): Promise<void> {
    await database.transaction(async (tx) => {
      const rows = (await store.lockMany(tx, uuids)).filter((row) => row.enabled !== enabled);
      if (rows.length > 0) await applyEnabled(tx, { rows, enabled }, context);
    });
    onChange();
  }

  async function applyEnabled(
    tx: Executor,
    { rows, enabled }: { readonly rows: readonly AcmeProfileRow[]; readonly enabled: boolean },
    context: RequestContext,
  ): Promise<void> {
    const uuids = rows.map(({ uuid }) => uuid);
    await store.update(tx, uuids, { enabled, updated_at: clock.now() });
    await audit.append(tx, context, { objects: rows.map(({ uuid, name }) => ({ uuid, name })) });
  }

  /** The profile of this name, made and enabled when there is none. Nodes may start at once: the first one makes it. */
  async function ensure(
    { name, raProfileUuid }: { readonly name: string; readonly raProfileUuid: string },
    context: RequestContext,
  ): Promise<string> {
    const known = await store.findByName(database.executor, name);
    if (known) return known.uuid;
    try {
      return await create({ ...defaults, name, description: 'Certificates for ACME clients', raProfileUuid }, context, {
        enabled: true,
      });
    } catch (error) {
      const made = await store.findByName(database.executor, name);
      if (made) return made.uuid;
      throw error;
    }
  }

  return {
    list,
    detail,
    nameOf: async (uuid: string): Promise<string> => (await require(uuid)).name,
    create,
    edit,
    setRaProfile,
    setEnabled,
    setEnabledMany,
    ensure,
  };
}

/** What the interface says for a request that leaves everything out. */
const defaults = {
  dnsResolverIp: '',
  dnsResolverPort: String(DNS_PORT),
  retryInterval: 30,
  validity: 36_000,
  requireContact: false,
  requireTermsOfService: false,
  issueCertificateAttributes: [],
  revokeCertificateAttributes: [],
} satisfies Partial<AcmeProfileRequestDto>;

/** Columns of the settings; those that a request leaves out and that are to be kept are not among them. */
const columnsOf = (request: Settings) => ({
  description: request.description || null,
  terms_of_service_url: request.termsOfServiceUrl || null,
  website_url: request.websiteUrl || null,
  dns_resolver_ip: resolverOf(request.dnsResolverIp),
  dns_resolver_port: portOf(request.dnsResolverPort) ?? DNS_PORT,
  retry_interval_s: request.retryInterval,
  validity_s: request.validity,
  require_contact: request.requireContact,
  require_terms_of_service: request.requireTermsOfService,
  ...(request.externalAccountRequired === undefined
    ? {}
    : { external_account_required: request.externalAccountRequired }),
  ...(request.caaIdentities === undefined
    ? {}
    : { caa_identities: [...new Set(request.caaIdentities.map((identity) => identity.toLowerCase()))] }),
  ...(request.authorizationReuse === undefined ? {} : { authorization_reuse_s: request.authorizationReuse }),
  ...(request.allowLoopbackValidation === undefined
    ? {}
    : { allow_loopback_validation: request.allowLoopbackValidation }),
});

const issuingColumns = ({ raProfileUuid, connectorUuid }: Issuing) => ({
  ra_profile_uuid: raProfileUuid,
  connector_uuid: connectorUuid,
});

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw rejected(...problems);
}

/** The unique key decides, not a look before: two callers may choose the same name at once. */
async function refusingTakenName<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (isUniqueViolation(error, 'acme_profile_name_key'))
      throw new AppError('already_exists', { what: 'ACME profile', name }, { cause: error });
    throw error;
  }
}
