// Validity period that an order can request (RFC 8555 §7.4). It is passed to the authority as issuance attributes; if
// the authority does not have them, the order is rejected before the client proves anything.
import type { BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import { rejection } from '../model/problems.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { raProfileOf } from '../requests/profile-rules.ts';

export interface Validity {
  readonly notBefore: Date | null;
  readonly notAfter: Date | null;
}

/** Names of the attributes through which authorities accept these times: our own, and those of other connectors. */
const ATTRIBUTE_NAMES = {
  notBefore: ['data_notBefore', 'notBefore'],
  notAfter: ['data_notAfter', 'notAfter'],
} as const;

export type RequestedValidity = ReturnType<typeof createRequestedValidity>;

export function createRequestedValidity({
  raProfiles,
}: {
  readonly raProfiles: Pick<RaProfiles, 'certificateDefinitions'>;
}) {
  async function definitionsOf(profile: ServedAcmeProfile, validity: Validity) {
    const definitions = await raProfiles.certificateDefinitions(raProfileOf(profile), 'issue');
    return (['notBefore', 'notAfter'] as const).flatMap((member) => {
      const value = validity[member];
      return value === null ? [] : [{ member, value, definition: definitionOf(definitions, ATTRIBUTE_NAMES[member]) }];
    });
  }

  return {
    /** Parses the members of the request; `now` determines whether a time is in the past. */
    read(request: Readonly<Record<string, unknown>>, now: Date): Validity {
      const notBefore = readInstant(request['notBefore'], 'notBefore');
      const notAfter = readInstant(request['notAfter'], 'notAfter');
      if (notAfter && notAfter.getTime() <= now.getTime())
        throw rejection('malformed', '"notAfter" must be in the future.');
      if (notBefore && notAfter && notBefore.getTime() >= notAfter.getTime())
        throw rejection('malformed', '"notBefore" must be before "notAfter".');
      return { notBefore, notAfter };
    },

    /** Rejects a time for which the authority has no attribute. */
    async assertServed(profile: ServedAcmeProfile, validity: Validity): Promise<void> {
      for (const { member, definition } of await definitionsOf(profile, validity)) {
        if (!definition)
          throw rejection(
            'malformed',
            `The authority of this directory does not accept "${member}". Place the order without it.`,
          );
      }
    },

    /** Returns the requested validity period as issuance attributes. */
    async attributes(profile: ServedAcmeProfile, validity: Validity): Promise<RequestAttributeDto[]> {
      if (!validity.notBefore && !validity.notAfter) return [];
      return (await definitionsOf(profile, validity)).flatMap(({ definition, value }) =>
        definition
          ? [
              {
                uuid: definition.uuid,
                name: definition.name,
                contentType: 'datetime' as const,
                content: [{ data: value.toISOString() }],
              },
            ]
          : [],
      );
    },
  };
}

function definitionOf(definitions: readonly BaseAttributeDto[], names: readonly string[]) {
  const found = definitions.find(({ name, type }) => type === 'data' && names.includes(name));
  return found?.type === 'data' && found.contentType === 'datetime' ? found : undefined;
}

/** Zero value of Go's time type, sent by Go programs for an unset time. */
const UNSET = '0001-01-01T00:00:00Z';

/**
 * Parses an RFC 3339 time (RFC 8555 §7.1.3) in a year that both a certificate and the database can represent (RFC 5280
 * §4.1.2.5).
 */
function readInstant(value: unknown, member: string): Date | null {
  if (value === undefined || value === null || value === UNSET) return null;
  const isInstant =
    typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(value);
  const instant = isInstant ? new Date(value) : undefined;
  const year = instant?.getUTCFullYear() ?? Number.NaN;
  if (!instant || !(year >= 1 && year <= 9999))
    throw rejection('malformed', `"${member}" must be an RFC 3339 timestamp such as 2030-01-31T00:00:00Z.`);
  return instant;
}
