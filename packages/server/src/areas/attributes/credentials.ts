// Credential attributes reference a credential; connectors receive the credential itself. The area that manages
// credentials is in a higher tier and registers itself here.
import type { CredentialAttributeContentData, RequestAttributeDto } from '@signetry/contract';
import { isVisible, visibleObjects, type Actor } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { memberOf } from './content.ts';
import type { ContentItem } from './attribute-terms.ts';
import { findUsersOfCredentials } from './store-values.ts';

/** Facts about a credential, without its contents. */
export interface CredentialFacts {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
}

export interface CredentialSource {
  /** Returns the credentials that exist. */
  find(uuids: readonly string[]): Promise<readonly CredentialFacts[]>;
  /** Returns the credential including its secrets, for connectors only; undefined if it does not exist. */
  expand(uuid: string): Promise<CredentialAttributeContentData | undefined>;
  /** Locks credentials until the transaction ends; returns those that exist. */
  hold(tx: Executor, uuids: readonly string[]): Promise<readonly string[]>;
}

/**
 * Actor that references credentials, and the previous values: a disabled credential can remain where it is already in
 * use.
 */
export interface CredentialUse {
  /** If absent, no credential is visible. */
  readonly actor?: Actor | undefined;
  readonly before?: readonly RequestAttributeDto[] | undefined;
}

const noCredentials: CredentialSource = {
  find: () => Promise.resolve([]),
  expand: () => Promise.resolve(undefined),
  hold: () => Promise.resolve([]),
};

export type CredentialExpansion = ReturnType<typeof createCredentialExpansion>;

export function createCredentialExpansion() {
  let source = noCredentials;

  /**
   * Rejects (422) credentials that the caller cannot see, with the same message as for nonexistent ones. Also rejects
   * disabled credentials that are not already in use here.
   */
  async function assertUsable(attributes: readonly RequestAttributeDto[], use: CredentialUse): Promise<void> {
    const named = namedCredentials(attributes);
    // Protocol servers use values that an administrator was authorized to choose.
    if (named.length === 0 || use.actor?.type === 'protocol') return;
    const known = new Map((await source.find(unique(named))).map((facts) => [facts.uuid, facts]));
    const inUse = new Set(namedCredentials(use.before ?? []).map(({ uuid }) => uuid));
    const problems = named.flatMap(({ attribute, uuid }) => {
      const credential = known.get(uuid);
      if (!credential || !canView(use.actor, uuid)) return [unknownCredential(attribute)];
      if (credential.enabled || inUse.has(uuid)) return [];
      return [
        `Attribute ${attribute} names the credential ${credential.name}, which is disabled. Enable it or choose a different one.`,
      ];
    });
    if (problems.length > 0) throw rejected(...new Set(problems));
  }

  /**
   * Accepts values that are displayed but never sent on, such as those of custom attributes. A credential that the
   * attribute already references stays, regardless of who saves the object; a new one must be usable (422).
   */
  async function acceptForDisplay(
    attributes: readonly RequestAttributeDto[],
    { actor, before = [] }: CredentialUse,
  ): Promise<readonly RequestAttributeDto[]> {
    await assertUsable(withoutReferenced(attributes, before), { actor });
    return withStoredNames(attributes);
  }

  /**
   * Returns the values as stored for display: with the credential's current name, and nothing else that the caller may
   * have sent.
   */
  async function withStoredNames(attributes: readonly RequestAttributeDto[]): Promise<readonly RequestAttributeDto[]> {
    const named = namedCredentials(attributes);
    if (named.length === 0) return attributes;
    const known = new Map((await source.find(unique(named))).map(({ uuid, name }) => [uuid, name]));
    return attributes.map((attribute) => mapCredentials(attribute, (item) => nameOnly(item, known)));
  }

  async function expandItem(attribute: RequestAttributeDto, item: ContentItem): Promise<ContentItem> {
    const uuid = credentialUuid(item);
    const credential = uuid === undefined ? undefined : await source.expand(uuid);
    if (credential === undefined) throw rejected(unknownCredential(attribute.name));
    return { ...item, data: credential };
  }

  async function expandOne(attribute: RequestAttributeDto): Promise<RequestAttributeDto> {
    if (attribute.contentType !== 'credential') return attribute;
    return { ...attribute, content: await Promise.all(attribute.content.map((item) => expandItem(attribute, item))) };
  }

  /**
   * Locks the referenced credentials until the values have been stored, because removing a credential checks whether it
   * is in use.
   */
  async function hold(tx: Executor, attributes: readonly RequestAttributeDto[]): Promise<void> {
    const named = namedCredentials(attributes);
    if (named.length === 0) return;
    const held = new Set(await source.hold(tx, unique(named)));
    const gone = named.filter(({ uuid }) => !held.has(uuid));
    if (gone.length > 0) throw rejected(...gone.map(({ attribute }) => unknownCredential(attribute)));
  }

  return {
    hold,
    acceptForDisplay,
    /** Operations that the engine exposes. */
    operations: {
      registerCredentialSource: (registered: CredentialSource): void => {
        source = registered;
      },
      assertCredentialsUsable: assertUsable,
      expandCredentials: (attributes: readonly RequestAttributeDto[]): Promise<RequestAttributeDto[]> =>
        Promise.all(attributes.map(expandOne)),
      /** Finds objects whose values reference a credential. */
      findUsersOfCredentials,
    },
  };
}

interface NamedCredential {
  readonly attribute: string;
  readonly uuid: string;
}

/**
 * Returns the credentials that attributes reference. Items without a credential are rejected when the values are
 * validated.
 */
function namedCredentials(attributes: readonly RequestAttributeDto[]): NamedCredential[] {
  return attributes
    .filter(({ contentType }) => contentType === 'credential')
    .flatMap(({ name, content }) =>
      content.map((item) => ({ attribute: name.slice(0, 100), uuid: credentialUuid(item) ?? '' })),
    );
}

/** Removes the credentials that an attribute already references. */
function withoutReferenced(
  attributes: readonly RequestAttributeDto[],
  before: readonly RequestAttributeDto[],
): readonly RequestAttributeDto[] {
  return attributes.map((attribute) => {
    const present = namedCredentials(before.filter(({ name }) => name === attribute.name)).map(({ uuid }) => uuid);
    const content = attribute.content.filter((item) => !present.includes(credentialUuid(item) ?? ''));
    return { ...attribute, content };
  });
}

const mapCredentials = (attribute: RequestAttributeDto, change: (item: ContentItem) => ContentItem) =>
  attribute.contentType === 'credential' ? { ...attribute, content: attribute.content.map(change) } : attribute;

function nameOnly(item: ContentItem, known: ReadonlyMap<string, string>): ContentItem {
  const uuid = credentialUuid(item) ?? '';
  const name = known.get(uuid) ?? '';
  return { reference: name, data: { uuid, name } };
}

function credentialUuid(item: ContentItem): string | undefined {
  const uuid = memberOf(item.data, 'uuid');
  return typeof uuid === 'string' ? uuid.toLowerCase() : undefined;
}

const unique = (named: readonly NamedCredential[]): string[] => [...new Set(named.map(({ uuid }) => uuid))];

const canView = (actor: Actor | undefined, uuid: string): boolean =>
  actor !== undefined && isVisible(visibleObjects(actor.permissions, 'credentials', 'detail'), uuid);

const unknownCredential = (attribute: string): string =>
  `Attribute ${attribute} names a credential that does not exist or is not visible to you.`;
