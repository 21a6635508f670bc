// Activation of an ACME profile on an RA profile: from then on ACME is served under the name of the RA profile, with attributes of
// the activation's own. The authority is asked before the transaction, never inside one.
import type { ActivateAcmeForRaProfileRequestDto, RaProfileAcmeDetailResponseDto } from '@signetry/contract';
import type { AuditTrail } from '../audit/index.ts';
import type { RaProfileFacts, RaProfiles } from '../ra-profiles/index.ts';
import type { RequestContext } from '../../kernel/actor.ts';
import { notFound } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import { activationHolder, noAttributes, type CertificateAttributes } from './certificate-attributes.ts';
import { directoryUrl } from './directory-url.ts';
import * as profiles from './store.ts';
import type { AcmeActivationRow } from './tables.ts';
import * as store from './store-activations.ts';

export interface ActivationParts {
  readonly audit: AuditTrail;
  readonly raProfiles: RaProfiles;
  readonly certificateAttributes: CertificateAttributes;
  readonly directoryBase: () => string;
  /** Called after a change was committed. */
  readonly onChange: () => void;
}

/** The RA profile under its authority. */
export interface ActivationKey {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

export type ActivationService = ReturnType<typeof createActivationService>;

export function createActivationService({ database, clock }: Platform, parts: ActivationParts) {
  const { audit, raProfiles, certificateAttributes, directoryBase, onChange } = parts;

  async function detail(key: ActivationKey): Promise<RaProfileAcmeDetailResponseDto> {
    const raProfile = await require(key);
    const row = await profiles.findActivated(database.executor, raProfile.uuid);
    if (!row) return { uuid: '', name: '', acmeAvailable: false };
    const holder = activationHolder({
      ra_profile_uuid: row.activated_on,
      connector_uuid: row.activation_connector_uuid,
    });
    return {
      uuid: row.uuid,
      name: row.name,
      acmeAvailable: true,
      directoryUrl: directoryUrl(directoryBase(), { family: 'raProfile', name: raProfile.name }),
      ...(await certificateAttributes.read(holder)),
    };
  }

  async function require({ authorityUuid, raProfileUuid }: ActivationKey): Promise<RaProfileFacts> {
    const facts = await raProfiles.findByUuid(raProfileUuid);
    if (!facts || facts.authorityUuid !== authorityUuid.toLowerCase()) throw notFound('RA profile', raProfileUuid);
    return facts;
  }

  /** Takes the place of an activation that is there already. */
  async function activate(
    key: ActivationKey & { readonly acmeProfileUuid: string },
    request: ActivateAcmeForRaProfileRequestDto,
    context: RequestContext,
  ): Promise<RaProfileAcmeDetailResponseDto> {
    const { acmeProfileUuid } = key;
    const raProfile = await raProfiles.forIssuing(key.authorityUuid, key.raProfileUuid);
    const acmeProfile = await profiles.findOne(database.executor, acmeProfileUuid);
    if (!acmeProfile) throw notFound('ACME profile', acmeProfileUuid);
    const row: AcmeActivationRow = {
      ra_profile_uuid: raProfile.uuid,
      acme_profile_uuid: acmeProfile.uuid,
      connector_uuid: raProfile.connectorUuid,
      created_at: clock.now(),
    };
    const holder = activationHolder(row);
    const requested = { issue: request.issueCertificateAttributes, revoke: request.revokeCertificateAttributes };
    const accepted = await certificateAttributes.acceptChange(requested, { holder, raProfile, signal: context.signal });
    await database.transaction(async (tx) => {
      // Everybody who locks both locks the RA profile first.
      await raProfiles.holdForUse(tx, row.ra_profile_uuid);
      const earlier = await store.findOne(tx, row.ra_profile_uuid);
      const concerned = [row.acme_profile_uuid, ...(earlier ? [earlier.acme_profile_uuid] : [])];
      const locked = await profiles.lockMany(tx, concerned);
      if (!locked.some(({ uuid }) => uuid === row.acme_profile_uuid)) throw notFound('ACME profile', acmeProfileUuid);
      await store.replace(tx, row);
      await certificateAttributes.replace(tx, holder, accepted);
      await profiles.update(tx, concerned, {});
      await audit.append(tx, context, {
        objects: [{ uuid: raProfile.uuid, name: raProfile.name }],
        affiliated: { resource: 'acmeProfiles', objects: [{ uuid: acmeProfile.uuid, name: acmeProfile.name }] },
      });
    });
    onChange();
    return detail(key);
  }

  /** Where nothing is activated nothing changes, so that a repeated call ends in the same state. */
  async function deactivate(key: ActivationKey, context: RequestContext): Promise<void> {
    const raProfile = await require(key);
    await database.transaction(async (tx) => {
      await raProfiles.holdForUse(tx, raProfile.uuid);
      const [row] = await store.remove(tx, [raProfile.uuid]);
      if (!row) return;
      await certificateAttributes.replace(tx, activationHolder(row), noAttributes);
      const [acmeProfile] = await profiles.update(tx, [row.acme_profile_uuid], {});
      await audit.append(tx, context, {
        objects: [{ uuid: raProfile.uuid, name: raProfile.name }],
        affiliated: {
          resource: 'acmeProfiles',
          objects: [{ uuid: row.acme_profile_uuid, ...(acmeProfile ? { name: acmeProfile.name } : {}) }],
        },
      });
    });
    onChange();
  }

  return { detail, activate, deactivate };
}
