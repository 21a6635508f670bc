// RA profile under which responder certificates are issued. It is found by name, and created if it does not exist. The
// authority's form determines which attributes are available; those for delegated OCSP signing are identified by name.
import {
  raProfileOperations,
  type AddRaProfileRequestDto,
  type BaseAttributeDto,
  type RequestAttributeDto,
} from '@signetry/contract';
import { OID } from '@signetry/pki';
import { coreContextFor } from '../../../kernel/actor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { responderProfileNames, RESPONDER_VALIDITY_DAYS } from '../publication-times.ts';
import type { RevocationAuthority, RevocationPorts } from '../ports.ts';

/** Feature of authority providers whose RA profile form has the attributes listed below. */
export const OCSP_DELEGATION_FEATURE = 'ocspDelegation';

/**
 * RFC 6960 §4.2.2.2: the certificate is for OCSP signing, and clients do not check the responder's own revocation
 * status (§4.2.2.2.1).
 */
const WANTED: readonly { readonly name: string; readonly value: unknown; readonly required: boolean }[] = [
  { name: 'data_extendedKeyUsages', value: OID.ocspSigning, required: true },
  { name: 'data_ocspNoCheck', value: true, required: true },
  { name: 'data_keyUsages', value: 'digitalSignature', required: false },
  { name: 'data_validityDays', value: RESPONDER_VALIDITY_DAYS, required: false },
  // The responder's own status is never checked, so its certificate contains no revocation URLs.
  { name: 'data_crlUrls', value: 'none', required: false },
  { name: 'data_deltaCrlUrls', value: 'none', required: false },
  { name: 'data_ocspUrls', value: 'none', required: false },
];

/** Returns the profile's identifier. */
export async function responderProfile(
  authority: RevocationAuthority,
  ports: Pick<RevocationPorts, 'authorities' | 'raProfiles'>,
): Promise<string> {
  const names = responderProfileNames(authority);
  for (const name of names) {
    const found = await ports.raProfiles.findAnyByName(name);
    if (found?.authorityUuid === authority.uuid) {
      // A platform version that did not support internal profiles may have created it after the migration.
      if (!found.internal) await ports.raProfiles.markInternal(found.uuid);
      return found.uuid;
    }
    if (!found) return create(authority, name, ports);
  }
  throw new AppError('already_exists', { what: 'RA profile', name: names[1] });
}

async function create(
  authority: RevocationAuthority,
  name: string,
  ports: Pick<RevocationPorts, 'authorities' | 'raProfiles'>,
): Promise<string> {
  const definitions = await ports.authorities.raProfileDefinitions(authority.uuid);
  const request: AddRaProfileRequestDto = {
    name,
    description: `OCSP responder certificates of ${authority.name}. Created and used by the platform.`,
    attributes: WANTED.flatMap((wanted) => attributeOf(wanted, definitions, authority)),
    enabled: true,
  };
  return ports.raProfiles.createInternal(authority.uuid, request, coreContextFor(raProfileOperations.createRaProfile));
}

function attributeOf(
  wanted: (typeof WANTED)[number],
  definitions: readonly BaseAttributeDto[],
  authority: RevocationAuthority,
): RequestAttributeDto[] {
  const definition = definitions.find(({ name, type }) => name === wanted.name && type === 'data');
  if (definition?.type !== 'data') {
    if (!wanted.required) return [];
    throw new AppError('connector_failed', {
      connector: authority.name,
      problem: `it declares the feature ${OCSP_DELEGATION_FEATURE}, but its RA profiles lack the attribute ${wanted.name}`,
    });
  }
  // If the attribute is a list, the selected item itself is sent, including its reference.
  const choice = definition.content?.find((item) => 'data' in item && item.data === wanted.value);
  const item =
    // The values in `WANTED` determine the type.
    definition.properties.list && choice ? choice : ({ data: wanted.value } as RequestAttributeDto['content'][number]);
  return [{ uuid: definition.uuid, name: definition.name, contentType: definition.contentType, content: [item] }];
}
