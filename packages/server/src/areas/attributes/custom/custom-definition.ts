// Custom attribute definitions and the rules for them. No I/O.
import type {
  AttributeContentType,
  CustomAttribute,
  CustomAttributeUpdateRequestDto,
  Resource,
} from '@signetry/contract';
import { resourceFlags, Resource as resources } from '@signetry/contract';
import { definitionProblems } from '@signetry/connector-sdk';
import { contentProblem } from '../content.ts';

/** A definition and the resources that it applies to. */
export interface CustomDefinition {
  readonly attribute: CustomAttribute;
  readonly resources: readonly Resource[];
  readonly enabled: boolean;
}

/** Resources whose objects can have custom attributes. */
export const customizableResources: readonly Resource[] = resources.options.filter(
  (resource) => resourceFlags(resource).hasCustomAttributes,
);

/** Returns the attribute that a request describes. Name and content type are fixed at creation. */
export function attributeOf(
  identity: { readonly uuid: string; readonly name: string; readonly contentType: AttributeContentType },
  request: CustomAttributeUpdateRequestDto,
): CustomAttribute {
  const { description, content, label, visible, group, required, readOnly, list, multiSelect } = request;
  return {
    ...identity,
    version: 2,
    type: 'custom',
    ...(description ? { description } : {}),
    ...(content ? { content } : {}),
    properties: { label, visible, ...(group ? { group } : {}), required, readOnly, list, multiSelect },
  };
}

/** Returns the problems of a custom attribute definition; empty if there are none. */
export function customDefinitionProblems(
  attribute: CustomAttribute,
  associated: readonly Resource[] | undefined,
): string[] {
  const { name, contentType, content = [] } = attribute;
  const { readOnly, list } = attribute.properties;
  const problems = definitionProblems(attribute);
  const expect = (holds: boolean, problem: string) => {
    if (!holds) problems.push(`The definition of attribute ${name} ${problem}.`);
  };
  for (const item of content) {
    const problem = contentProblem(contentType, item.data);
    if (problem !== undefined) expect(false, problem);
  }
  expect(list || content.length <= 1, 'has multiple values but is not a list');
  expect(new Set(content.map(({ data }) => JSON.stringify(data))).size === content.length, 'has a duplicate choice');
  expect(!readOnly || content.length > 0, 'is read-only and must have content');
  expect(!readOnly || !list, 'is read-only and must not be a list');
  // Only the presence of a secret is shown, so secrets cannot be offered as choices, and a shared default would not be
  // secret.
  expect(contentType !== 'secret' || content.length === 0, 'is a secret and must not define content');
  // The available credentials depend on the caller, and a default would bypass that check.
  expect(
    contentType !== 'credential' || content.length === 0,
    'is a credential and must not define content: its choices are the existing credentials',
  );
  for (const resource of associated ?? [])
    expect(
      customizableResources.includes(resource),
      `cannot be used for ${resource}: its objects do not support custom attributes`,
    );
  return problems;
}
