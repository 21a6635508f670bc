// Custom attributes as the rules see them, and the rules of their definitions. No I/O.
import type {
  AttributeContentType,
  CustomAttribute,
  CustomAttributeUpdateRequestDto,
  Resource,
} from '@signetry/contract';
import { resourceFlags, Resource as resources } from '@signetry/contract';
import { definitionProblems } from '@signetry/connector-sdk';
import { contentProblem } from '../content.ts';

/** A definition with the resources that it is for. */
export interface CustomDefinition {
  readonly attribute: CustomAttribute;
  readonly resources: readonly Resource[];
  readonly enabled: boolean;
}

/** Resources whose objects may have custom attributes. */
export const customisableResources: readonly Resource[] = resources.options.filter(
  (resource) => resourceFlags(resource).hasCustomAttributes,
);

/** The attribute as a request describes it; name and content type are chosen once. */
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

/** What is wrong with the definition of a custom attribute; empty when nothing is. */
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
  expect(list || content.length <= 1, 'has several values but is not a list');
  expect(new Set(content.map(({ data }) => JSON.stringify(data))).size === content.length, 'has a choice twice');
  expect(!readOnly || content.length > 0, 'is read-only and needs content');
  expect(!readOnly || !list, 'is read-only and must not be a list');
  // What is shown of a secret is that there is one: a choice among secrets, or one that everybody sets, is none.
  expect(contentType !== 'secret' || content.length === 0, 'is a secret and must not have content of its own');
  // Which ones somebody may choose depends on who they are, and a default would be another way to use one.
  expect(
    contentType !== 'credential' || content.length === 0,
    'is a credential and must not have content of its own: the credentials are its choices',
  );
  for (const resource of associated ?? [])
    expect(customisableResources.includes(resource), `cannot be used for ${resource}: its objects have none`);
  return problems;
}
