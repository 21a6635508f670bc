// What is wrong with mappings of attributes. Pure.
import type { AttributeContentType, AttributeMappingDto, DataAttribute } from '@signetry/contract';

/** A custom attribute, as far as mappings need it. */
export interface MappableAttribute {
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly contentType: AttributeContentType;
}

export interface MappingFacts {
  /** What the kind of the instance asks for. */
  readonly asked: readonly DataAttribute[];
  /** Those of the named custom attributes that exist. */
  readonly known: readonly MappableAttribute[];
}

/** Complaints about mappings; empty when there are none. */
export function problemsOfMappings(mappings: readonly AttributeMappingDto[], { asked, known }: MappingFacts): string[] {
  const twice = mappings.filter(
    ({ mappingAttributeUuid }, place) =>
      mappings.findIndex((other) => other.mappingAttributeUuid === mappingAttributeUuid) !== place,
  );
  return [
    ...twice.map(({ mappingAttributeName: name }) => `The attribute ${name} is mapped twice; map it once.`),
    ...mappings.flatMap((mapping) => problemOfMapping(mapping, { asked, known })),
  ];
}

function problemOfMapping(mapping: AttributeMappingDto, { asked, known }: MappingFacts): string[] {
  const { mappingAttributeUuid, mappingAttributeName: name, customAttributeUuid, customAttributeLabel } = mapping;
  const wanted = asked.find(({ uuid }) => uuid === mappingAttributeUuid);
  if (!wanted) {
    const names = asked.map((attribute) => attribute.name).join(', ') || 'none';
    return [`The kind has no mapping attribute ${name}; its mapping attributes: ${names}.`];
  }
  const custom = known.find(({ uuid }) => uuid === customAttributeUuid.toLowerCase());
  if (!custom) return [`The custom attribute ${customAttributeLabel} (${customAttributeUuid}) does not exist.`];
  if (custom.contentType === wanted.contentType) return [];
  return [
    `${wanted.name} takes values of the type ${wanted.contentType}, and the custom attribute ${custom.name} holds ` +
      `${custom.contentType}; map an attribute of the same type.`,
  ];
}
