// What the subject of an ordered certificate may say: an order proves names of servers, not who runs them, so at most a
// proven name is left of the subject of a request. It reaches the authority as an issue attribute; an authority that
// has no such attribute decides by its own profile what it certifies of a subject.
import type { RequestAttributeDto } from '@signetry/contract';
import type { RequestFacts } from '../../../areas/certificates/index.ts';
import type { RaProfiles } from '../../../areas/ra-profiles/index.ts';
import type { ServedAcmeProfile } from '../../../areas/acme-profiles/index.ts';
import { isServerName } from '../model/identifiers.ts';
import { raProfileOf } from '../requests/profile-rules.ts';

/** The attribute by which an authority takes a subject instead of that of the request. */
const ATTRIBUTE_NAME = 'data_subject';
/** Longest common name (RFC 5280 Appendix A.1, ub-common-name). */
const MAX_COMMON_NAME = 64;
/** What stands for an empty subject. */
const NO_SUBJECT = 'none';

export type RequestedSubject = ReturnType<typeof createRequestedSubject>;

export const createRequestedSubject = ({
  raProfiles,
}: {
  readonly raProfiles: Pick<RaProfiles, 'certificateDefinitions'>;
}) => ({
  /** The subject as an issue attribute; none where that of the request will do, or the ACME profile sets one. */
  async attributes(profile: ServedAcmeProfile, request: RequestFacts): Promise<RequestAttributeDto[]> {
    if (provesItsSubject(request) || profile.issueAttributes.some(({ name }) => name === ATTRIBUTE_NAME)) return [];
    const definitions = await raProfiles.certificateDefinitions(raProfileOf(profile), 'issue');
    const definition = definitions.find(({ name }) => name === ATTRIBUTE_NAME);
    if (definition?.type !== 'data' || definition.contentType !== 'string') return [];
    const { uuid, name, contentType } = definition;
    return [{ uuid, name, contentType, content: [{ data: subjectOf(request) }] }];
  },
});

type Names = Pick<RequestFacts, 'subject_dn' | 'common_name' | 'subject_alternative_names'>;

function provesItsSubject(request: Names): boolean {
  const { subject_dn: subject, common_name: common } = request;
  if (subject === '') return true;
  return subject === `CN=${common}` && isProven(request);
}

/**
 * Is the common name one of the names of the order? It is when it names a server, whether or not the alternative names
 * repeat it: the names of a request are both (RFC 8555 §7.4), and the authority certifies it as an alternative name.
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

/** The alternative names; a request that has any was refused unless all of them are proven. */
const namesOf = ({ subject_alternative_names: names }: Names): readonly string[] =>
  Object.values(names ?? {}).flatMap((list) => list.map((name) => name.toLowerCase()));
