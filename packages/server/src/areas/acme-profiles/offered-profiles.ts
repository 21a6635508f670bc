// Profile names that clients can choose for an order (draft-ietf-acme-profiles-00). Each refers to an RA profile and is
// offered in addition to the ACME profile's own RA profile.
import type { AcmeOfferedProfile } from '@signetry/contract';
import { notFound } from '../../kernel/errors.ts';
import { isUuid } from '../../kernel/ids.ts';
import { servedRaProfile, type ServedRaProfile } from '../protocol-profiles/index.ts';
import type { RaProfiles } from '../ra-profiles/index.ts';

/** Stored form of the offers, by name. */
export type OfferedProfiles = Readonly<
  Record<string, { readonly description: string; readonly raProfileUuid: string }>
>;

/** Offered name and its RA profile. */
export interface ServedOffer {
  readonly name: string;
  readonly description: string;
  readonly raProfile: ServedRaProfile & { readonly authorityUuid: string };
}

/** All are in the directory, which every client reads. */
const MAX_OFFERS = 50;
/** Clients receive the name on command lines. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/i;

export function problemsOfOffers(offers: readonly AcmeOfferedProfile[] = []): string[] {
  const problems: string[] = [];
  if (offers.length > MAX_OFFERS) problems.push(`offeredProfiles: must not have more than ${MAX_OFFERS} entries`);
  const names = new Set<string>();
  for (const { name } of offers) {
    if (!NAME.test(name))
      problems.push(`offeredProfiles: ${JSON.stringify(name.slice(0, 100))} must be 1 to 64 letters, digits, . _ or -`);
    if (names.has(name)) problems.push(`offeredProfiles: ${name} is listed more than once`);
    names.add(name);
  }
  return problems;
}

export const storedOffers = (offers: readonly AcmeOfferedProfile[]): OfferedProfiles =>
  Object.fromEntries(
    offers.map(({ name, description, raProfileUuid }) => [
      name,
      { description, raProfileUuid: raProfileUuid.toLowerCase() },
    ]),
  );

/**
 * Rejects an RA profile that cannot issue certificates based on its name alone, because it has no authority, or because
 * its authority requires attributes, which an ACME profile has only for its own RA profile. Calls authorities.
 */
export async function assertOffersUsable(
  raProfiles: Pick<RaProfiles, 'forIssuingByUuid' | 'acceptCertificateAttributes'>,
  offers: readonly AcmeOfferedProfile[] = [],
  { own, signal }: { readonly own: string | null; readonly signal: AbortSignal },
): Promise<void> {
  for (const uuid of new Set(offers.map(({ raProfileUuid }) => raProfileUuid.toLowerCase()))) {
    if (!isUuid(uuid)) throw notFound('RA profile', uuid.slice(0, 100));
    const raProfile = await raProfiles.forIssuingByUuid(uuid);
    if (uuid !== own)
      await raProfiles.acceptCertificateAttributes(raProfile, { purpose: 'issue', requested: [], signal });
  }
}

/** Returns the offers to be displayed. Names of removed RA profiles are omitted. */
export async function presentOffers(
  raProfiles: Pick<RaProfiles, 'findMany'>,
  offers: OfferedProfiles,
): Promise<AcmeOfferedProfile[]> {
  const there = await raProfilesOf(raProfiles, offers);
  return Object.entries(offers).flatMap(([name, { description, raProfileUuid }]) =>
    there.has(raProfileUuid) ? [{ name, description, raProfileUuid }] : [],
  );
}

/** Returns the offers that can currently be used to issue certificates. */
export async function serveOffers(
  raProfiles: Pick<RaProfiles, 'findMany'>,
  offers: OfferedProfiles,
): Promise<readonly ServedOffer[]> {
  const there = await raProfilesOf(raProfiles, offers);
  return Object.entries(offers).flatMap(([name, { description, raProfileUuid }]) => {
    const found = there.get(raProfileUuid);
    if (!found?.enabled || found.authorityUuid === null) return [];
    return [{ name, description, raProfile: { ...servedRaProfile(found), authorityUuid: found.authorityUuid } }];
  });
}

async function raProfilesOf(raProfiles: Pick<RaProfiles, 'findMany'>, offers: OfferedProfiles) {
  const uuids = [...new Set(Object.values(offers).map(({ raProfileUuid }) => raProfileUuid))];
  const found = uuids.length === 0 ? [] : await raProfiles.findMany(uuids);
  return new Map(found.map((each) => [each.uuid, each]));
}
