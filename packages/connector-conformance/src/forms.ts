// Forms: the attribute definitions of an operation, the callbacks that complete them, and the operation that validates
// values.
import {
  BaseAttributeContentDto,
  BaseAttributeDto,
  type AttributeCallback,
  type Operation,
  type RequestAttributeDto,
} from '@signetry/contract';
import { z } from 'zod';
import { problemsOfDefinitions } from './definitions.ts';
import type { Request } from './transport.ts';
import { expect, Finding, requireResult, isSuccess, parseReply, type Call } from './session.ts';
import type { Scope } from './scope.ts';
import { badValuesOf, type BadValues } from './values/bad-values.ts';
import { contentFor, generateValues, type Content, type FormFacts } from './values/generate-values.ts';
import { secretsIn } from './values/given-values.ts';

export interface Form {
  /** As in "… attributes", e.g. `authority`. */
  readonly of: string;
  readonly list: Operation & { readonly success: { readonly body: z.ZodType<BaseAttributeDto[]> } };
  /** Absent if the interface defines none. */
  readonly validate?: Operation;
  readonly params: Call['params'] | undefined;
}

export interface FilledForm {
  readonly values: RequestAttributeDto[];
  readonly bad: readonly BadValues[];
}

/** Status codes for rejected values: 422 for a rule violation, 400 for a malformed request. */
const REFUSED_VALUES = [422, 400];

/** Checks a form and fills it in. */
export async function checkForm(scope: Scope, form: Form): Promise<FilledForm | undefined> {
  const definitions = await scope.check(`returns ${form.of} attribute definitions`, async () => {
    if (!scope.isOffered(form.list) && (await scope.isMissing(form.list, params(form))))
      throw scope.notOffered(form.list);
    const { status } = await scope.session.exchange(scope.requestOf(form.list, params(form)));
    if (status === 501) throw scope.lacking(`The connector does not offer ${form.of} attributes (501).`);
    const listed = await scope.session.ask(form.list, params(form));
    requireValidDefinitions(listed);
    return listed;
  });
  if (!definitions) return undefined;
  const completed = await complete(scope, form, definitions);
  if (!completed) return undefined;
  const { known, facts } = completed;
  const values = generateValues(known, facts);
  for (const secret of secretsIn(values)) scope.session.secrets.add(secret);
  const bad = badValuesOf(known, values);
  return (await checkValidation(scope, form, { values, bad })) ? { values, bad } : undefined;
}

const params = (form: Form): Call => (form.params === undefined ? {} : { params: form.params });

function requireValidDefinitions(definitions: readonly BaseAttributeDto[]): void {
  const problems = problemsOfDefinitions(definitions);
  expect(problems.length === 0, problems.join(' '), 'well-formed definitions');
}

// ---- validation ----

/** Whether later checks can use the values. */
async function checkValidation(scope: Scope, form: Form, { values, bad }: FilledForm): Promise<boolean> {
  const { validate } = form;
  if (!validate) return true;
  const title = `accepts valid ${form.of} attributes`;
  const isAccepted = await scope.check(title, async () => {
    if (!scope.isOffered(validate) && (await scope.isMissing(validate, { ...params(form), body: values })))
      throw scope.notOffered(validate);
    const reply = await scope.session.exchange(scope.requestOf(validate, { ...params(form), body: values }));
    if (reply.status === 422)
      throw new Finding(
        'The connector rejects the values derived from its definitions. Specify different values with --attributes.',
        String(validate.success.status),
      );
    expect(isSuccess(reply), 'The validation of attributes fails.', String(validate.success.status));
    return true;
  });
  // Without this operation, values are checked when they are used.
  if (isAccepted === undefined) return scope.lastOutcome() === 'notOffered';
  for (const each of bad) {
    await scope.check(`rejects ${each.what} when validating ${form.of} attributes`, () =>
      scope.session.refused(validate, { ...params(form), body: [...each.values] }, REFUSED_VALUES),
    );
  }
  return true;
}

/** Checks that values rejected by validation are also rejected on use. */
export async function checkUseRejects(
  scope: Scope,
  what: string,
  use: { readonly form: FilledForm | undefined; readonly refused: (values: RequestAttributeDto[]) => Promise<void> },
): Promise<void> {
  for (const { what: mistake, values } of use.form?.bad ?? [])
    await scope.check(`rejects ${mistake} when ${what}`, () => use.refused([...values]));
}

// ---- callbacks ----

interface CompletedForm {
  readonly known: readonly BaseAttributeDto[];
  readonly facts: FormFacts;
}

/** Maximum nesting of groups. */
const MAX_DEPTH = 4;
/** Callbacks that the platform itself serves, from its credentials. */
const OF_PLATFORM = /^\/?core\//;

/** Returns the definitions, including those that callbacks return. */
async function complete(
  scope: Scope,
  form: Form,
  definitions: readonly BaseAttributeDto[],
): Promise<CompletedForm | undefined> {
  const choices = new Map<string, Content>();
  const facts: FormFacts = { given: scope.given, choices, sources: sourcesOf(definitions) };
  if (!definitions.some(callbackOf)) return { known: definitions, facts };
  const known = await scope.check(`responds to the callbacks of ${form.of} attributes`, async () => {
    const all = [...definitions];
    let next: readonly BaseAttributeDto[] = definitions;
    for (let depth = 0; depth < MAX_DEPTH && next.length > 0; depth += 1) {
      const found: BaseAttributeDto[] = [];
      for (const definition of next) found.push(...(await callBack(scope, definition, { all, facts, choices })));
      all.push(...found);
      next = found;
    }
    requireValidDefinitions(all);
    return all;
  });
  return known && { known, facts: { ...facts, sources: sourcesOf(known) } };
}

function callbackOf(definition: BaseAttributeDto): AttributeCallback | undefined {
  const callback = 'attributeCallback' in definition ? definition.attributeCallback : undefined;
  return callback && !OF_PLATFORM.test(callback.callbackContext) ? callback : undefined;
}

/** Names of the attributes whose values are passed to group callbacks. */
const sourcesOf = (definitions: readonly BaseAttributeDto[]): ReadonlySet<string> =>
  new Set(
    definitions
      .filter(({ type }) => type === 'group')
      .flatMap((definition) => callbackOf(definition)?.mappings ?? [])
      .flatMap(({ from: source }) => source?.split('.')[0] ?? []),
  );

/** Returns the attributes from a group callback; stores the choices from a list callback. */
async function callBack(
  scope: Scope,
  definition: BaseAttributeDto,
  { all, facts, choices }: { all: readonly BaseAttributeDto[]; facts: FormFacts; choices: Map<string, Content> },
): Promise<readonly BaseAttributeDto[]> {
  const callback = callbackOf(definition);
  if (!callback) return [];
  const reply = await scope.session.exchange(requestOf(callback, all, facts));
  const expected = definition.type === 'group' ? '200 with a list of definitions' : '200 with a list of content items';
  expect(isSuccess(reply), `The connector rejected the callback of attribute ${definition.name}.`, expected);
  if (definition.type === 'group') return parseReply(reply, z.array(BaseAttributeDto), expected);
  choices.set(definition.name, parseReply(reply, z.array(BaseAttributeContentDto), expected));
  return [];
}

/** Builds a callback request from the form values, as a platform does. */
function requestOf(
  { callbackContext, callbackMethod, mappings }: AttributeCallback,
  definitions: readonly BaseAttributeDto[],
  facts: FormFacts,
): Request {
  let path = callbackContext.startsWith('/') ? callbackContext : `/${callbackContext}`;
  const query = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const { from: source, value: constant, to, targets } of mappings) {
    const value = constant ?? valueAt(source ?? '', definitions, facts);
    for (const target of targets) {
      if (target === 'pathVariable') path = path.replaceAll(`{${to}}`, encodeURIComponent(String(value)));
      else if (target === 'requestParameter') query.append(to, String(value));
      else body[to] = value;
    }
  }
  const hasBody = mappings.some(({ targets }) => targets.includes('body'));
  return {
    method: callbackMethod.toUpperCase(),
    target: query.size > 0 ? `${path}?${query}` : path,
    ...(hasBody ? { body } : {}),
  };
}

/** Returns the value at a path such as `data_host.data`: an attribute name, then members of its first item. */
function valueAt(path: string, definitions: readonly BaseAttributeDto[], facts: FormFacts): unknown {
  const [name = '', ...members] = path.split('.');
  const source = definitions.find((definition) => definition.name === name);
  if (source?.type !== 'data')
    throw new Finding(
      `A callback requires the attribute ${name}, which is not defined.`,
      'definitions of all attributes that callbacks require',
    );
  const [item] = contentFor(source, { ...facts, sources: new Set([name]) });
  let value: unknown = requireResult(item, `a value for ${name}`);
  for (const member of members.length === 0 ? ['data'] : members)
    value = typeof value === 'object' && value !== null ? Reflect.get(value, member) : undefined;
  return value;
}
