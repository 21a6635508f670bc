// Operations on entities.
import { randomUUID } from 'node:crypto';
import { notFound, rejectIf, type FunctionHandlers } from '@signetry/connector-sdk';
import type { RequestAttributeDto } from '@signetry/contract';
import { KINDS, type Kind } from '../declaration.ts';
import type { ConnectorParts } from '../parts.ts';
import { entityForm, readEntitySpec } from './entity-form.ts';
import type { EntityRow } from './entity-store.ts';
import { presentEntity } from './present-entity.ts';
import { createEntity, directoryNames, updateEntity } from './save-entity.ts';

/** Rejects with 404 if the entity does not exist. */
export async function findEntity({ store }: ConnectorParts, uuid: string): Promise<EntityRow> {
  const row = await store.find(uuid);
  if (!row) throw notFound('Entity', uuid);
  return row;
}

const nameProblems = (name: string): string[] => (name.trim() === '' ? ['The entity must have a name.'] : []);

export const entityHandlers = (parts: ConnectorParts) => {
  const present = (row: EntityRow) => presentEntity(row, directoryNames(parts));
  return {
    listAttributeDefinitions: ({ params }) =>
      entityForm({ kind: kindOf(params.kind), directories: directoryNames(parts) }),
    // The call does not indicate whether an entity is being created or changed, so secrets may be omitted.
    validateAttributes: ({ params, body }) => {
      const kind = kindOf(params.kind);
      readEntitySpec(body, { kind, directories: directoryNames(parts), keepsSecrets: true });
    },
    listEntityInstances: async () => (await parts.store.findAll()).map(present),
    createEntityInstance: async ({ body, idempotencyKey }) => {
      const { name, attributes } = body;
      rejectIf(nameProblems(name));
      const kind = kindOf(body.kind);
      const wish = readEntitySpec(attributes, { kind, directories: directoryNames(parts) });
      const call = { operation: 'createEntityInstance', key: idempotencyKey };
      return parts.idempotency.carryOut(
        // Secrets are omitted because the journal stores a digest of the request, from which a password could be
        // guessed.
        { ...call, request: { ...body, attributes: withoutSecrets(attributes) } },
        {
          prepare: () => ({ uuid: randomUUID() }),
          perform: async ({ uuid }) => present(await createEntity(parts, { uuid, kind, name }, wish)),
        },
      );
    },
    getEntityInstance: async ({ params }) => present(await findEntity(parts, params.entityUuid)),
    updateEntityInstance: async ({ params, body }) => {
      const row = await findEntity(parts, params.entityUuid);
      rejectIf([...nameProblems(body.name), ...kindProblems(row, body.kind)]);
      return present(await updateEntity(parts, row, body));
    },
    removeEntityInstance: ({ params }) => parts.store.remove(params.entityUuid),
  } satisfies Partial<FunctionHandlers<'entityProvider'>>;
};

/** Calls with other kinds are rejected earlier. */
const kindOf = (kind: string): Kind => KINDS.find((each) => each === kind) ?? 'PEM';

const kindProblems = ({ name, kind }: EntityRow, given: string): string[] =>
  given === kind
    ? []
    : [`"${name}" is of the kind ${kind}, which cannot be changed. Add a separate entity for ${given}.`];

const withoutSecrets = (attributes: readonly RequestAttributeDto[]): readonly RequestAttributeDto[] =>
  attributes.filter(({ contentType }) => contentType !== 'secret');
