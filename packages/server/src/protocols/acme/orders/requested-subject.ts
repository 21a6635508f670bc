// Permitted subject and names of an ordered certificate. An order proves server names, not who operates the servers, so
// only a proven name is retained from the CSR's subject. The subject is passed to the authority as an issuance
// attribute; an authority without such an attribute applies its own profile to the subject.
import type { RequestAttributeDto } from '@signetry/contract';
import { hostOfCommonName } from '@signetry/pki';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { raProfileOf } from '../requests/profile-rules.ts';

/** Maximum length of a common name (RFC 5280 Appendix A.1, ub-common-name). */
const MAX_COMMON_NAME = 64;
/** Value that denotes an empty subject. */
const NO_SUBJECT = 'none';

export type RequestedSubject = ReturnType<typeof createRequestedSubject>;

/** Names of a claimed order, as `type:value`, and its request. */
export interface NamedRequest {
  readonly names: readonly string[];
  readonly request: Names;
}

export function createRequestedSubject({
  raProfiles,
}: {
  readonly raProfiles: Pick<RaProfiles, 'certificateDefinitions'>;
}) {
  async function attribute(
    profile: ServedAcmeProfile,
    { name: wanted, contentType: type, data }: { name: string; contentType: 'string' | 'text'; data: string },
  ): Promise<RequestAttributeDto[]> {
    if (profile.issueAttributes.some(({ name }) => name === wanted)) return [];
    const definitions = await raProfiles.certificateDefinitions(raProfileOf(profile), 'issue');
    const definition = definitions.find(({ name }) => name === wanted);
    if (definition?.type !== 'data' || definition.contentType !== type) return [];
    const { uuid, name, contentType } = definition;
    return [{ uuid, name, contentType, content: [{ data }] }];
  }

  return {
    /**
     * Returns the subject and the subject alternative names as issuance attributes, unless those in the CSR can be used
     * or the ACME profile sets them.
     */
    async attributes(profile: ServedAcmeProfile, { names, request }: NamedRequest): Promise<RequestAttributeDto[]> {
      const subject = isSubjectProven(request)
        ? []
        : await attribute(profile, { name: 'data_subject', contentType: 'string', data: subjectOf(request) });
      const altNames = hasAllNames(request, names)
        ? []
        : await attribute(profile, { name: 'data_altNames', contentType: 'text', data: names.join('\n') });
      return [...subject, ...altNames];
    },
  };
}

type Names = Pick<RequestFacts, 'subject_dn' | 'common_name' | 'subject_alternative_names'>;

/**
 * Returns whether the subject alternative names of the CSR are those of the order. Names that are only common names
 * must be in the certificate, too, whatever the RA profile does with common names (RFC 8555 §7.4).
 */
function hasAllNames(request: Names, names: readonly string[]): boolean {
  const present = new Set(namesOf(request));
  return names.every((name) => present.has(name.slice(name.indexOf(':') + 1)));
}

function isSubjectProven(request: Names): boolean {
  const { subject_dn: subject, common_name: common } = request;
  if (subject === '') return true;
  return subject === `CN=${common}` && isProven(request);
}

/**
 * Returns whether the common name is one of the order's names. A common name that is a server name always is, even if
 * it is missing from the subject alternative names: the names of a CSR include both (RFC 8555 §7.4), and the authority
 * adds it as a subject alternative name.
 */
function isProven(request: Names): boolean {
  const names = namesOf(request);
  const common = request.common_name.toLowerCase();
  return names.length === 0 || names.includes(common) || hostOfCommonName(common) !== undefined;
}

function subjectOf(request: Names): string {
  const names = namesOf(request);
  const chosen = isProven(request) ? request.common_name.toLowerCase() : names.find(isShort);
  return chosen !== undefined && isShort(chosen) ? `CN=${chosen}` : NO_SUBJECT;
}

const isShort = (name: string): boolean => name.length <= MAX_COMMON_NAME;

/**
 * Returns the subject alternative names. All of them are proven, because the CSR would otherwise have been rejected.
 */
const namesOf = ({ subject_alternative_names: names }: Names): readonly string[] =>
  Object.values(names ?? {}).flatMap((list) => list.map((name) => name.toLowerCase()));
