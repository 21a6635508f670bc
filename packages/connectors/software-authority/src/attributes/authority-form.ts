// CA form. After a CA type is selected, a callback returns the fields for that type only. The group initially contains
// all fields, so that callers that know the field names can set values without the callback.
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

/** An extension to the published interface, referenced only by the group's definition. */
export const authorityFormOperations = {
  listSourceAttributes: operation({
    id: 'listSourceAttributes',
    summary: 'List attributes of a CA type',
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

/** Returns the fields for a CA type. */
export function sourceAttributes(source: string, form: FormFacts): DataAttribute[] {
  const known = CA_SOURCES.find((each) => each === source);
  if (!known) throw notFound('CA type', source.slice(0, 100));
  return fieldsOf[known](form);
}

export const authorityForm = (form: FormFacts): BaseAttributeDto[] => [
  introduction(form),
  sourceAttribute,
  groupAttribute({
    uuid: uuid(13),
    name: 'group_source',
    description: 'Settings of this CA type',
    callback: callbackTo(authorityFormOperations.listSourceAttributes, {
      path: { source: valueOf(sourceAttribute) },
    }),
    content: [...newCaAttributes, ...subordinateAttributes(form), ...importAttributes, ...tokenKeyAttributes(form)],
  }),
  ...crlAttributes,
  shardsAttribute,
];
