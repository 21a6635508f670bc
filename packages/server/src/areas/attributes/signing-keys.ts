// Attributes whose values identify key pairs in tokens that the attributes' connector signs with. A definition
// indicates this through its callback. The area that manages keys is in a higher tier and registers itself here.
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
  /** Why the key cannot be selected for new objects; absent if it can. */
  readonly problem?: string | undefined;
}

export interface SigningKeySource {
  /** Returns key pairs that can sign and that the actor may sign with, sorted by name. */
  choices(actor: Actor): Promise<readonly SigningKeyFacts[]>;
  /** Returns those of the keys that the actor may sign with. */
  find(uuids: readonly string[], actor: Actor): Promise<readonly SigningKeyFacts[]>;
  /** Locks keys until the transaction ends; returns those that can sign. */
  hold(tx: Executor, uuids: readonly string[]): Promise<readonly string[]>;
}

/** Returns whether the platform itself answers the callback, with the keys that the caller may sign with. */
export const isSigningKeyCallback = ({ callbackContext }: AttributeCallback): boolean =>
  callbackContext.replace(/^\//, '').replace(/\/$/, '') === signingKeys.callbackContext;

interface SubmittedValues {
  readonly connectorUuid: string | null;
  /** Current definitions, of every kind. */
  readonly definitions: readonly BaseAttributeDto[];
  readonly requested: readonly RequestAttributeDto[];
}

type FindStored = (connectorUuid: string | null, names: readonly string[]) => Promise<readonly DataAttribute[]>;

export function createSigningKeyAttributes(findStored: FindStored) {
  let source: SigningKeySource | undefined;

  /**
   * Returns the names of attributes that reference keys, including previously stored ones such as fields of a group.
   */
  async function namesOfKeyAttributes({
    connectorUuid,
    definitions,
    requested,
  }: SubmittedValues): Promise<Set<string>> {
    const current = [...definitions, ...definitions.flatMap(contentOfGroup)].filter(isDataDefinition);
    const known = new Set(current.map(({ name }) => name));
    const unknown = requested.map(({ name }) => name).filter((name) => !known.has(name));
    const earlier = unknown.length === 0 ? [] : await findStored(connectorUuid, unknown);
    return new Set([...current, ...earlier].filter(referencesKeys).map(({ name }) => name));
  }

  /**
   * Rejects (422) keys that the caller may not sign with, with the same message as for nonexistent ones. Also rejects
   * keys that cannot sign, unless they are already in use here.
   */
  async function assertUsable(values: SubmittedValues, { actor, before = [] }: CredentialUse): Promise<void> {
    if (values.requested.length === 0) return;
    const names = await namesOfKeyAttributes(values);
    const named = keysIn(values.requested, names);
    // Protocol servers use values that an administrator was authorized to choose.
    if (named.length === 0 || actor?.type === 'protocol') return;
    const uuids = named.map(({ uuid }) => uuid);
    const usable = actor && source ? await source.find(uuids, actor) : [];
    const known = new Map(usable.map((key) => [key.uuid, key]));
    const inUse = new Set(keysIn(before, names).map(({ uuid }) => uuid));
    const problems = named.flatMap(({ attribute, uuid }) => {
      const key = known.get(uuid);
      if (!key)
        return [`Attribute ${attribute} names a key that does not exist or that you are not permitted to sign with.`];
      return key.problem === undefined || inUse.has(uuid) ? [] : [key.problem];
    });
    if (problems.length > 0) throw rejected(...new Set(problems));
  }

  /**
   * Locks the keys that an object's values reference until the values are stored, because destroying a key checks
   * whether it is in use.
   */
  async function hold(tx: Executor, object: AttributeObject): Promise<void> {
    const uuids = await findSigningKeysOf(tx, { ...object, context: signingKeys.callbackContext });
    if (uuids.length === 0) return;
    const held = new Set(await source?.hold(tx, uuids));
    if (!uuids.every((uuid) => held.has(uuid)))
      throw rejected('The selected key can no longer sign. Choose a different key.');
  }

  return {
    registerSigningKeySource: (registered: SigningKeySource): void => {
      source = registered;
    },
    signingKeyChoices: async (actor: Actor): Promise<readonly SigningKeyFacts[]> => source?.choices(actor) ?? [],
    assertSigningKeysUsable: assertUsable,
    holdSigningKeys: hold,
    /** Finds objects of a resource whose values reference one of these keys. */
    findUsersOfSigningKeys: (
      executor: Executor,
      of: { readonly resource: string; readonly uuids: readonly string[] },
    ) => findUsersOfSigningKeys(executor, { ...of, context: signingKeys.callbackContext }),
  };
}

const referencesKeys = ({ attributeCallback }: DataAttribute): boolean =>
  attributeCallback !== undefined && isSigningKeyCallback(attributeCallback);

/** Returns the keys that attributes reference. Items without a key are rejected when the values are validated. */
const keysIn = (attributes: readonly RequestAttributeDto[], names: ReadonlySet<string>) =>
  attributes
    .filter(({ name }) => names.has(name))
    .flatMap(({ name, content }) =>
      content
        .filter(({ data }) => data !== null && data !== undefined && data !== '')
        .map(({ data }) => ({ attribute: name.slice(0, 100), uuid: typeof data === 'string' ? data : '' })),
    );
