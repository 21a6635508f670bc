// The directory (RFC 8555 §7.1.1) and the newNonce resource (§7.2).
import type { AcmeDirectory } from '@signetry/contract';
import type { Platform } from '../../../platform/platform.ts';
import { caaRulesOf, offersOf, type CaaSettings } from '../validation/caa-default.ts';
import { consumeNonce } from './store-guard.ts';
import { assertNoPayload } from './authenticate.ts';
import type { AccountCall, AcmeReply, OpenCall } from './call.ts';

/** Lists only what is served. */
export const createShowDirectory =
  (settings: CaaSettings) =>
  async ({ urls, profile }: OpenCall): Promise<AcmeReply> => {
    const { newNonce, newAccount, newOrder, revokeCert, keyChange, renewalInfo, accountHashPrefix } = urls;
    const { issuerDomainNames } = offersOf(profile, settings);
    const body: AcmeDirectory = {
      newNonce,
      newAccount,
      newOrder,
      revokeCert,
      keyChange,
      renewalInfo,
      meta: {
        ...(profile.termsOfServiceUrl === undefined ? {} : { termsOfService: profile.termsOfServiceUrl }),
        ...(profile.websiteUrl === undefined ? {} : { website: profile.websiteUrl }),
        caaIdentities: [...caaRulesOf(profile, settings).caaIdentities],
        externalAccountRequired: profile.externalAccountRequired,
        ...(issuerDomainNames.length === 0 ? {} : { issuerDomainNames: [...issuerDomainNames], accountHashPrefix }),
        ...(profile.offeredProfiles.length === 0
          ? {}
          : { profiles: Object.fromEntries(profile.offeredProfiles.map((each) => [each.name, each.description])) }),
      },
    };
    return { status: 200, body };
  };

/** Returns an empty response, to which a nonce is added as to every other response. */
export const issueNonce = async (): Promise<AcmeReply> => ({ status: 204 });
export const headNonce = async (): Promise<AcmeReply> => ({ status: 200 });

/**
 * POST-as-GET of a resource that also supports GET (RFC 8555 §6.3): the signature is verified and the nonce consumed.
 */
export const createSignedRead =
  ({ database }: Platform, read: (call: OpenCall) => Promise<AcmeReply>) =>
  async (call: AccountCall): Promise<AcmeReply> => {
    assertNoPayload(call);
    await consumeNonce(database.relaxed, call);
    return read(call);
  };
