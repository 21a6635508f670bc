// Permitted subject of an ordered certificate. An order proves server names, not who operates the servers, so only a
// proven name is retained from the CSR's subject. The subject is passed to the authority as an issuance attribute; an
// authority without such an attribute applies its own profile to the subject.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { isServerName } from '../model/identifiers.ts';
import { raProfileOf } from '../requests/profile-rules.ts';

/** Attribute through which an authority accepts a subject that overrides the one in the CSR. */
const ATTRIBUTE_NAME = 'data_subject';
/** Maximum length of a common name (RFC 5280 Appendix A.1, ub-common-name). */
const MAX_COMMON_NAME = 64;
/** Value that denotes an empty subject. */
const NO_SUBJECT = 'none';

export type RequestedSubject = ReturnType<typeof createRequestedSubject>;

export const createRequestedSubject = ({
  raProfiles,
}: {
  readonly raProfiles: Pick<RaProfiles, 'certificateDefinitions'>;
}) => ({
  /**
   * Returns the subject as an issuance attribute; none if the CSR's subject can be used, or if the ACME profile sets a
   * subject.
   */
  async attributes(profile: ServedAcmeProfile, request: RequestFacts): Promise<RequestAttributeDto[]> {
    if (isSubjectProven(request) || profile.issueAttributes.some(({ name }) => name === ATTRIBUTE_NAME)) return [];
    const definitions = await raProfiles.certificateDefinitions(raProfileOf(profile), 'issue');
    const definition = definitions.find(({ name }) => name === ATTRIBUTE_NAME);
    if (definition?.type !== 'data' || definition.contentType !== 'string') return [];
    const { uuid, name, contentType } = definition;
    return [{ uuid, name, contentType, content: [{ data: subjectOf(request) }] }];
  },
});

type Names = Pick<RequestFacts, 'subject_dn' | 'common_name' | 'subject_alternative_names'>;

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
  return names.length === 0 || names.includes(common) || isServerName(common);
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
