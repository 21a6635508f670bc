// Initial objects in a new installation: the administrator, the authority "Signetry Root", the RA profile and the ACME
// profile `default`. Each step checks what already exists, so the next start resumes an interrupted one. Owns:
// installation.
import { acmeProfileOperations, authorityOperations, raProfileOperations } from '@signetry/contract';
import { defaultAttributes } from '../areas/attributes/index.ts';
import { coreContextFor } from '../kernel/actor.ts';
import type { Platform } from '../platform/platform.ts';
import type { Areas } from './areas.ts';
import { builtInConnectors } from './built-in-connectors.ts';
import { ADMINISTRATOR, DEFAULT_ACME_PROFILE, DEFAULT_RA_PROFILE, ROOT_AUTHORITY } from './default-names.ts';

const AUTHORITY_KIND = 'SoftwareCA';

export interface DefaultProfile {
  readonly authorityUuid: string;
  readonly raProfileUuid: string;
}

/**
 * Registers the built-in connectors and system accounts before any other work: unfinished operations of a previous run
 * need them immediately. Returns the ID of the connector whose authority signs the first certificate.
 */
export async function registerBuiltIns(areas: Areas): Promise<string> {
  const [software, ...others] = builtInConnectors;
  const connectorUuid = await areas.connectors.registerBuiltIn(software);
  for (const connector of others) await areas.connectors.registerBuiltIn(connector);
  await areas.identity.seed();
  return connectorUuid;
}

/**
 * Creates the objects that the first certificate requires. Returns the default RA profile unless an administrator has
 * removed it.
 */
export async function ensureFirstObjects(
  platform: Platform,
  areas: Areas,
  connectorUuid: string,
): Promise<DefaultProfile | undefined> {
  await areas.identity.ensureFirstAdministrator(ADMINISTRATOR);
  if (!(await isDone(platform))) {
    const authorityUuid = await ensureAuthority(areas, connectorUuid);
    const raProfileUuid = await ensureRaProfile(areas, authorityUuid);
    await areas.acmeProfiles.ensure(
      { name: DEFAULT_ACME_PROFILE, raProfileUuid },
      coreContextFor(acmeProfileOperations.createAcmeProfile),
    );
    await markDone(platform);
  }
  const profile = await areas.raProfiles.findByName(DEFAULT_RA_PROFILE);
  return profile?.authorityUuid ? { authorityUuid: profile.authorityUuid, raProfileUuid: profile.uuid } : undefined;
}

async function ensureAuthority(areas: Areas, connectorUuid: string): Promise<string> {
  const known = await areas.authorities.findByName(ROOT_AUTHORITY);
  if (known) return known.uuid;
  // If no attributes are specified, the connector creates a root CA with a P-256 key, named after the authority.
  return areas.authorities.create(
    { name: ROOT_AUTHORITY, connectorUuid, kind: AUTHORITY_KIND, attributes: [] },
    coreContextFor(authorityOperations.createAuthorityInstance),
  );
}

async function ensureRaProfile(areas: Areas, authorityUuid: string): Promise<string> {
  const known = await areas.raProfiles.findByName(DEFAULT_RA_PROFILE);
  if (known) return known.uuid;
  const definitions = await areas.authorities.raProfileDefinitions(authorityUuid);
  return areas.raProfiles.create(
    authorityUuid,
    {
      name: DEFAULT_RA_PROFILE,
      description: `Server and client certificates issued by ${ROOT_AUTHORITY}`,
      attributes: defaultAttributes(definitions),
      enabled: true,
    },
    coreContextFor(raProfileOperations.createRaProfile),
  );
}

const DONE = 'first_start';

async function isDone({ database }: Platform): Promise<boolean> {
  const rows = await database.query('SELECT FROM installation WHERE name = $1', [DONE]);
  return rows.length > 0;
}

async function markDone({ database, clock }: Platform): Promise<void> {
  await database.query('INSERT INTO installation (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    DONE,
    JSON.stringify({ at: clock.now() }),
  ]);
}
