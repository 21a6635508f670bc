// Validates attribute mappings. Pure.
import type { AttributeContentType, AttributeMappingDto, DataAttribute } from '@signetry/contract';

/** Custom attribute properties that mappings depend on. */
export interface MappableAttribute {
  readonly uuid: string;
  readonly name: string;
  readonly label: string;
  readonly contentType: AttributeContentType;
}

export interface MappingFacts {
  /** Mapping attributes that the instance's kind supports. */
  readonly asked: readonly DataAttribute[];
  /** Existing custom attributes that the mappings reference. */
  readonly known: readonly MappableAttribute[];
}

/** Returns the problems with the mappings; empty if there are none. */
export function problemsOfMappings(mappings: readonly AttributeMappingDto[], { asked, known }: MappingFacts): string[] {
  const twice = mappings.filter(
    ({ mappingAttributeUuid }, place) =>
      mappings.findIndex((other) => other.mappingAttributeUuid === mappingAttributeUuid) !== place,
  );
  return [
    ...twice.map(({ mappingAttributeName: name }) => `The attribute ${name} is mapped more than once.`),
    ...mappings.flatMap((mapping) => problemOfMapping(mapping, { asked, known })),
  ];
}

function problemOfMapping(mapping: AttributeMappingDto, { asked, known }: MappingFacts): string[] {
  const { mappingAttributeUuid, mappingAttributeName: name, customAttributeUuid, customAttributeLabel } = mapping;
  const wanted = asked.find(({ uuid }) => uuid === mappingAttributeUuid);
  if (!wanted) {
    const names = asked.map((attribute) => attribute.name).join(', ') || 'none';
    return [`The kind has no mapping attribute ${name}. Its mapping attributes are: ${names}.`];
  }
  const custom = known.find(({ uuid }) => uuid === customAttributeUuid.toLowerCase());
  if (!custom) return [`The custom attribute ${customAttributeLabel} (${customAttributeUuid}) does not exist.`];
  if (custom.contentType === wanted.contentType) return [];
  return [
    `${wanted.name} requires values of type ${wanted.contentType}, but the custom attribute ${custom.name} has type ` +
      `${custom.contentType}; map an attribute of the same type.`,
  ];
}
