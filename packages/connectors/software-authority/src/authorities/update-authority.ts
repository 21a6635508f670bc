// Changes a CA's mutable properties: its name in this connector and the validity of its CRLs. Omitted attributes return
// to their defaults. The number of CRL partitions can only increase. All other properties are fixed by the certificate.
import { rejected, validateAttributes } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import {
  AUTHORITY,
  authorityAttributes,
  changeableAuthorityAttributes,
  readCrlShards,
  type FormFacts,
} from '../attributes/authority-attributes.ts';
import type { AuthorityRow, AuthorityStore } from './authority-store.ts';
import { readCaSpec } from './ca-spec.ts';
import { withoutSecrets } from './create-authority.ts';

export interface AuthorityChange {
  readonly row: AuthorityRow;
  readonly name: string;
  readonly attributes: readonly RequestAttributeDto[];
  readonly form: FormFacts;
}

/** Platforms send all values again; immutable ones must equal the stored values. */
export async function updateAuthority(store: AuthorityStore, change: AuthorityChange): Promise<void> {
  const { row, name, form } = change;
  const given = withoutSecrets(change.attributes);
  const problems = [
    ...validateAttributes(authorityAttributes(form), given),
    ...fixedProblems(given, row.attributes),
    ...shardProblems(given, row.attributes),
  ];
  if (problems.length > 0) throw rejected(...problems);
  const attributes = mergeAttributes(row.attributes, given);
  const { crlValidityHours, deltaCrlValidityHours } = readCaSpec(
    attributes.filter((attribute) => changeableAuthorityAttributes.includes(attribute.name)),
    form,
  );
  await store.update({
    uuid: row.uuid,
    name,
    attributes,
    crl_validity_hours: crlValidityHours,
    delta_crl_validity_hours: deltaCrlValidityHours,
  });
}

const valuesOf = (attribute: RequestAttributeDto | undefined): string =>
  JSON.stringify((attribute?.content ?? []).map(({ data }) => data).filter((data) => data !== '' && data !== null));

function fixedProblems(
  given: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
): readonly string[] {
  return given
    .filter(({ name }) => !changeableAuthorityAttributes.includes(name) && name !== AUTHORITY.crlShards)
    .filter((attribute) => {
      const known = valuesOf(stored.find(({ name }) => name === attribute.name));
      const wanted = valuesOf(attribute);
      return wanted !== '[]' && wanted !== known;
    })
    .map(({ name }) => `Attribute "${name}" cannot be changed after the CA has been created.`);
}

/** Returns the CRL partitions attribute if it has a value. Otherwise, the stored value is retained. */
const givenShards = (given: readonly RequestAttributeDto[]): RequestAttributeDto | undefined =>
  given.find(({ name, content }) => name === AUTHORITY.crlShards && content.length > 0);

function shardProblems(
  given: readonly RequestAttributeDto[],
  stored: readonly RequestAttributeDto[],
): readonly string[] {
  const now = readCrlShards(stored);
  if (!givenShards(given) || readCrlShards(given) >= now) return [];
  return [
    `Attribute "${AUTHORITY.crlShards}" can only be increased: certificates refer to the existing ${now} partitions.`,
  ];
}

const mergeAttributes = (
  stored: readonly RequestAttributeDto[],
  given: readonly RequestAttributeDto[],
): readonly RequestAttributeDto[] => {
  const isChangeable = ({ name }: RequestAttributeDto): boolean => changeableAuthorityAttributes.includes(name);
  const shards = givenShards(given);
  const isRetained = (attribute: RequestAttributeDto): boolean =>
    !isChangeable(attribute) && !(shards && attribute.name === AUTHORITY.crlShards);
  return [...stored.filter(isRetained), ...given.filter(isChangeable), ...(shards ? [shards] : [])];
};
