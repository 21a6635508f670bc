// The form of a CA: the kind of CA comes first, and a call-back yields the fields of that kind only. The group carries
// all of them beforehand, so that values are also taken from callers who know their names and make no call-back.
import { callbackTo, groupAttribute, notFound, valueOf } from '@signetry/connector-sdk';
import { BaseAttributeDto, operation, type DataAttribute } from '@signetry/contract';
import { z } from 'zod';
import { softwareAuthorityDeclaration } from '../declaration.ts';
import { authorityAttributeUuid as uuid } from './attribute-uuids.ts';
import {
  CA_SOURCES,
  crlAttributes,
  importAttributes,
  introduction,
  newCaAttributes,
  shardsAttribute,
  sourceAttribute,
  subordinateAttributes,
  tokenKeyAttributes,
  type CaSource,
  type FormFacts,
} from './authority-attributes.ts';

/** Beyond the interface; only the definition of the group leads there. */
export const authorityFormOperations = {
  listSourceAttributes: operation({
    id: 'listSourceAttributes',
    summary: 'List Attributes of a kind of CA',
    tag: 'Software CA',
    method: 'GET',
    path: `/v1/authorityProvider/${softwareAuthorityDeclaration.kind}/callbacks/{source}/attributes`,
    params: z.object({ source: z.string() }),
    success: { status: 200, body: z.array(BaseAttributeDto) },
    errors: [404, 500],
  }),
};

const fieldsOf: Readonly<Record<CaSource, (form: FormFacts) => DataAttribute[]>> = {
  root: (form) => [...newCaAttributes, ...tokenKeyAttributes(form)],
  subordinate: (form) => [...subordinateAttributes(form), ...newCaAttributes, ...tokenKeyAttributes(form)],
  import: (form) => [...importAttributes, ...tokenKeyAttributes(form)],
};

/** The fields of one kind of CA. */
export function sourceAttributes(source: string, form: FormFacts): DataAttribute[] {
  const known = CA_SOURCES.find((each) => each === source);
  if (!known) throw notFound('Kind of CA', source.slice(0, 100));
  return fieldsOf[known](form);
}

export const authorityForm = (form: FormFacts): BaseAttributeDto[] => [
  introduction(form),
  sourceAttribute,
  groupAttribute({
    uuid: uuid(13),
    name: 'group_source',
    description: 'Settings of this kind of CA',
    callback: callbackTo(authorityFormOperations.listSourceAttributes, {
      path: { source: valueOf(sourceAttribute) },
    }),
    content: [...newCaAttributes, ...subordinateAttributes(form), ...importAttributes, ...tokenKeyAttributes(form)],
  }),
  ...crlAttributes,
  shardsAttribute,
];
