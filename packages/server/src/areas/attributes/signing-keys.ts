// Attributes whose values are identifiers of key pairs in tokens, with which their connector then signs. A definition
// says so by its call-back. Which keys there are is known by a higher area, which registers itself here.
import { signingKeys } from '@signetry/connector-sdk';
import type { AttributeCallback, BaseAttributeDto, DataAttribute, RequestAttributeDto } from '@signetry/contract';
import type { Actor } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import type { CredentialUse } from './credentials.ts';
import type { AttributeObject } from './attribute-terms.ts';
import { contentOfGroup, isDataDefinition } from './read-definition.ts';
import { findSigningKeysOf, findUsersOfSigningKeys } from './store-values.ts';

export interface SigningKeyFacts {
  readonly uuid: string;
  readonly name: string;
  /** Why it does not sign for anything new, in words; absent when it does. */
  readonly problem?: string | undefined;
}

export interface SigningKeySource {
  /** Key pairs that the actor may sign with and that can sign, by name. */
  choices(actor: Actor): Promise<readonly SigningKeyFacts[]>;
  /** Those of the keys that the actor may sign with. */
  find(uuids: readonly string[], actor: Actor): Promise<readonly SigningKeyFacts[]>;
  /** Keeps keys until the transaction ends; answers those that can sign. */
  hold(tx: Executor, uuids: readonly string[]): Promise<readonly string[]>;
}

/** The platform answers it itself, with the keys that the caller may sign with. */
export const asksForSigningKeys = ({ callbackContext }: AttributeCallback): boolean =>
  callbackContext.replace(/^\//, '').replace(/\/$/, '') === signingKeys.callbackContext;

interface GivenValues {
  readonly connectorUuid: string | null;
  /** In force, of every kind. */
  readonly definitions: readonly BaseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

type FindKept = (connectorUuid: string | null, names: readonly string[]) => Promise<readonly DataAttribute[]>;

export function createSigningKeyAttributes(findKept: FindKept) {
  let source: SigningKeySource | undefined;

  /** Names of the attributes that name keys, also by definitions that came earlier, such as fields of a group. */
  async function namesOfKeyAttributes({ connectorUuid, definitions, requested }: GivenValues): Promise<Set<string>> {
    const current = [...definitions, ...definitions.flatMap(contentOfGroup)].filter(isDataDefinition);
    const known = new Set(current.map(({ name }) => name));
    const unknown = requested.map(({ name }) => name).filter((name) => !known.has(name));
    const earlier = unknown.length === 0 ? [] : await findKept(connectorUuid, unknown);
    return new Set([...current, ...earlier].filter(namesKeys).map(({ name }) => name));
  }

  /**
   * Refuses (422) keys that the caller may not sign with, in the same words as ones that do not exist, and ones that
   * cannot sign and are not in use here yet.
   */
  async function assertUsable(values: GivenValues, { actor, before = [] }: CredentialUse): Promise<void> {
    if (values.requested.length === 0) return;
    const names = await namesOfKeyAttributes(values);
    const named = keysIn(values.requested, names);
    // Servers of protocols use what an administrator gave them, and was let choose from.
    if (named.length === 0 || actor?.type === 'protocol') return;
    const uuids = named.map(({ uuid }) => uuid);
    const usable = actor && source ? await source.find(uuids, actor) : [];
    const known = new Map(usable.map((key) => [key.uuid, key]));
    const inUse = new Set(keysIn(before, names).map(({ uuid }) => uuid));
    const problems = named.flatMap(({ attribute, uuid }) => {
      const key = known.get(uuid);
      if (!key) return [`Attribute ${attribute} names a key that does not exist or that you may not sign with.`];
      return key.problem === undefined || inUse.has(uuid) ? [] : [key.problem];
    });
    if (problems.length > 0) throw rejected(...new Set(problems));
  }

  /** Keys that the values of an object name stay until these are stored: whoever destroys one looks for its users. */
  async function hold(tx: Executor, object: AttributeObject): Promise<void> {
    const uuids = await findSigningKeysOf(tx, { ...object, context: signingKeys.callbackContext });
    if (uuids.length === 0) return;
    const held = new Set(await source?.hold(tx, uuids));
    if (!uuids.every((uuid) => held.has(uuid)))
      throw rejected('The key that was chosen was taken out of use meanwhile. Choose another.');
  }

  return {
    registerSigningKeySource: (registered: SigningKeySource): void => {
      source = registered;
    },
    signingKeyChoices: async (actor: Actor): Promise<readonly SigningKeyFacts[]> => source?.choices(actor) ?? [],
    assertSigningKeysUsable: assertUsable,
    holdSigningKeys: hold,
    /** Objects of a resource whose values name one of these keys. */
    findUsersOfSigningKeys: (
      executor: Executor,
      of: { readonly resource: string; readonly uuids: readonly string[] },
    ) => findUsersOfSigningKeys(executor, { ...of, context: signingKeys.callbackContext }),
  };
}

const namesKeys = ({ attributeCallback }: DataAttribute): boolean =>
  attributeCallback !== undefined && asksForSigningKeys(attributeCallback);

/** An item that names none is refused when the values are checked. */
const keysIn = (attributes: readonly RequestAttributeDto[], names: ReadonlySet<string>) =>
  attributes
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, content }) =>
      content
        .filter(({ data }) => data !== null && data !== undefined && data !== '')
        .map(({ data }) => ({ attribute: name.slice(0, 100), uuid: typeof data === 'string' ? data : '' })),
    );
