// Common checks for authorities, entities, tokens and notification instances: they are created from form values, shown,
// listed, changed and removed.
import { randomUUID } from 'node:crypto';
import { connectorBaseOperations as base, type Operation } from '@signetry/contract';
import { z } from 'zod';
import { checkForm, checkUseRejects, type FilledForm } from '../forms.ts';
import { expect, requireResult, isSuccess, parseReply, type Call } from '../session.ts';
import type { Scope } from '../scope.ts';

export interface InstanceKind {
  /** As in "… attributes". */
  readonly noun: string;
  /** As in "creates …". */
  readonly one: string;
  readonly list: Operation;
  readonly create: Operation;
  readonly get: Operation;
  readonly update: Operation;
  readonly remove: Operation;
  readonly params: (uuid: string) => Call['params'] & object;
}

/** Members that every instance shows. */
const Shown = z.object({ uuid: z.string(), name: z.string() });

export interface Instance {
  readonly uuid: string;
  readonly params: Call['params'] & object;
  readonly form: FilledForm;
}

const NO_SUCH = [404];

/** Checks everything except the removal, because the instance is needed until the end. */
export async function checkInstances(scope: Scope, kind: InstanceKind): Promise<Instance | undefined> {
  const { one, noun } = kind;
  const form = await checkForm(scope, {
    of: noun,
    list: base.listAttributeDefinitions,
    validate: base.validateAttributes,
    params: { functionalGroup: scope.group, kind: scope.kind },
  });
  await checkUnknownKind(scope);
  const instance = await scope.check(`creates ${one}`, async () => {
    const made = await create(scope, kind, { form: requireResult(form, `${noun} attributes`) });
    return { uuid: made.uuid, params: kind.params(made.uuid), form: requireResult(form, '') };
  });
  await checkGetAndList(scope, kind, instance);
  await checkUnknown(scope, kind, form);
  await checkUseRejects(scope, `creating ${one}`, {
    form,
    refused: (attributes) => requireCreateRejected(scope, kind, { name: newName(), kind: scope.kind, attributes }),
  });
  await checkRepetition(scope, kind, form);
  return instance;
}

const newName = (): string => `conformance-${randomUUID()}`;

interface Creation {
  readonly form: FilledForm;
  readonly name?: string;
  readonly idempotencyKey?: string;
}

async function create(scope: Scope, kind: InstanceKind, { form, name = newName(), idempotencyKey }: Creation) {
  const body = { name, kind: scope.kind, attributes: form.values };
  const made = await scope.session.ask(kind.create, { body, ...(idempotencyKey ? { idempotencyKey } : {}) });
  const shown = Shown.parse(made);
  scope.session.defer(() => scope.session.exchange(scope.requestOf(kind.remove, { params: kind.params(shown.uuid) })));
  expect(shown.uuid !== '', 'The response contains no identifier.', 'an identifier');
  expect(shown.name === name, `The name is ${shown.name} instead of ${name}.`, 'the name in the request');
  return shown;
}

/** Requires a rejection; an instance that is created nevertheless is removed at the end. */
async function requireCreateRejected(scope: Scope, kind: InstanceKind, body: unknown): Promise<void> {
  const reply = await scope.session.exchange(scope.requestOf(kind.create, { body }));
  if (isSuccess(reply)) {
    const { uuid } = parseReply(reply, Shown, 'a rejection');
    scope.session.defer(() => scope.session.exchange(scope.requestOf(kind.remove, { params: kind.params(uuid) })));
  }
  scope.session.requireRefusal(kind.create, reply, [422, 400, 404]);
}

async function checkGetAndList(scope: Scope, kind: InstanceKind, instance: Instance | undefined): Promise<void> {
  const { one } = kind;
  const requireInstance = () => requireResult(instance, `creates ${one}`);
  await scope.check(`returns ${one} and includes it in the list`, async () => {
    const { uuid, params } = requireInstance();
    const found = Shown.parse(await scope.session.ask(kind.get, { params }));
    expect(found.uuid === uuid, `The response contains ${found.uuid} instead of ${uuid}.`, 'the created object');
    const all = z.array(Shown).parse(await scope.session.ask(kind.list));
    expect(
      all.some((each) => each.uuid === uuid),
      'The list does not contain the created object.',
      'a list with the created object',
    );
  });
  await scope.check(`updates ${one} idempotently`, async () => {
    const { uuid, params, form } = requireInstance();
    const name = newName();
    const body = { name, kind: scope.kind, attributes: form.values };
    for (let times = 0; times < 2; times += 1) {
      const changed = Shown.parse(await scope.session.ask(kind.update, { params, body }));
      expect(
        changed.uuid === uuid && changed.name === name,
        'The response does not contain the update.',
        `the name ${name}`,
      );
    }
    const found = Shown.parse(await scope.session.ask(kind.get, { params }));
    expect(found.name === name, 'The update is lost.', `the name ${name}`);
  });
}

async function checkUnknown(scope: Scope, kind: InstanceKind, form: FilledForm | undefined): Promise<void> {
  const { one, noun } = kind;
  const params = kind.params(randomUUID());
  await scope.check(`returns 404 for ${one} that does not exist`, async () => {
    await scope.session.refused(kind.get, { params }, NO_SUCH);
    const attributes = requireResult(form, `${noun} attributes`).values;
    await scope.session.refused(
      kind.update,
      { params, body: { name: newName(), kind: scope.kind, attributes } },
      NO_SUCH,
    );
  });
  await scope.check(`rejects a malformed body when creating ${one}`, () =>
    requireCreateRejected(scope, kind, { name: {}, kind: scope.kind }),
  );
  await scope.check(`rejects an unknown kind when creating ${one}`, async () =>
    requireCreateRejected(scope, kind, {
      name: newName(),
      kind: NO_KIND,
      attributes: requireResult(form, `${noun} attributes`).values,
    }),
  );
}

const NO_KIND = 'NoSuchKind';

export async function checkUnknownKind(scope: Scope): Promise<void> {
  await scope.check('returns 404 for an unknown kind', () => {
    scope.need(base.listAttributeDefinitions);
    const params = { functionalGroup: scope.group, kind: NO_KIND };
    return scope.session.refused(base.listAttributeDefinitions, { params }, NO_SUCH);
  });
}

/** Creates an instance twice under the same idempotency key. */
async function checkRepetition(scope: Scope, kind: InstanceKind, form: FilledForm | undefined): Promise<void> {
  await scope.check(`creates ${kind.one} only once for the same Idempotency-Key`, async () => {
    scope.requireIdempotency();
    const creation = {
      form: requireResult(form, `${kind.noun} attributes`),
      name: newName(),
      idempotencyKey: randomUUID(),
    };
    const first = await create(scope, kind, creation);
    const second = await create(scope, kind, creation);
    expect(
      first.uuid === second.uuid,
      'The second response contains a different object.',
      `the object ${first.uuid} again`,
    );
    const all = z.array(Shown).parse(await scope.session.ask(kind.list));
    expect(
      all.filter(({ name }) => name === creation.name).length === 1,
      'The list does not contain exactly one object with this name.',
      'one object',
    );
  });
}

/** Checks that a removed instance no longer exists, and that a repeated removal is harmless. */
export async function checkRemoval(scope: Scope, kind: InstanceKind, instance: Instance | undefined): Promise<void> {
  await scope.check(`removes ${kind.one}`, async () => {
    scope.need(kind.remove);
    const { params, uuid } = requireResult(instance, `creates ${kind.one}`);
    await scope.session.ask(kind.remove, { params });
    await scope.session.refused(kind.get, { params }, NO_SUCH);
    const all = z.array(Shown).parse(await scope.session.ask(kind.list));
    expect(
      !all.some((each) => each.uuid === uuid),
      'The removed object is still listed.',
      'a list without the removed object',
    );
    const again = await scope.session.exchange(scope.requestOf(kind.remove, { params }));
    expect(again.status < 500, 'A repeated removal fails.', '204 or 404');
  });
}
