// Credential attributes name a credential; a connector is sent the credential itself. Which credentials there are is
// known by a higher area, which registers itself here.
import type { CredentialAttributeContentData, RequestAttributeDto } from '@signetry/contract';
import { isVisible, visibleObjects, type Actor } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import type { Executor } from '../../platform/database/database.ts';
import { memberOf } from './content.ts';
import type { ContentItem } from './attribute-terms.ts';
import { findUsersOfCredentials } from './store-values.ts';

/** What is known of a credential without its contents. */
export interface CredentialFacts {
  readonly uuid: string;
  readonly name: string;
  readonly enabled: boolean;
}

export interface CredentialSource {
  /** Those that exist. */
  find(uuids: readonly string[]): Promise<readonly CredentialFacts[]>;
  /** In full, secrets included: for connectors only. Undefined when there is none. */
  expand(uuid: string): Promise<CredentialAttributeContentData | undefined>;
  /** Keeps credentials until the transaction ends; answers those that exist. */
  hold(tx: Executor, uuids: readonly string[]): Promise<readonly string[]>;
}

/** Who names credentials, and which values were there before: a disabled credential stays in use where it is. */
export interface CredentialUse {
  /** Nobody when absent: no credential is visible to them. */
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
   * Refuses (422) credentials that the caller may not see, in the same words as ones that do not exist, and disabled
   * ones that are not in use here yet.
   */
  async function assertUsable(attributes: readonly RequestAttributeDto[], use: CredentialUse): Promise<void> {
    const named = namedCredentials(attributes);
    // Servers of protocols use what an administrator gave them, and was let choose from.
    if (named.length === 0 || use.actor?.type === 'protocol') return;
    const known = new Map((await source.find(unique(named))).map((facts) => [facts.uuid, facts]));
    const inUse = new Set(namedCredentials(use.before ?? []).map(({ uuid }) => uuid));
    const problems = named.flatMap(({ attribute, uuid }) => {
      const credential = known.get(uuid);
      if (!credential || !maySee(use.actor, uuid)) return [unknownCredential(attribute)];
      if (credential.enabled || inUse.has(uuid)) return [];
      return [
        `Attribute ${attribute} names the credential ${credential.name}, which is disabled. Enable it, or choose another.`,
      ];
    });
    if (problems.length > 0) throw rejected(...new Set(problems));
  }

  /**
   * Values that are shown but never sent on, such as those of custom attributes. A credential that an attribute names
   * already stays, whoever saves the object; one that comes must be usable (422).
   */
  async function acceptForDisplay(
    attributes: readonly RequestAttributeDto[],
    { actor, before = [] }: CredentialUse,
  ): Promise<readonly RequestAttributeDto[]> {
    await assertUsable(withoutPresent(attributes, before), { actor });
    return namedAsKept(attributes);
  }

  /**
   * The values as they are kept where they are shown: with the name of the credential itself, and nothing else that the
   * caller may have sent with it.
   */
  async function namedAsKept(attributes: readonly RequestAttributeDto[]): Promise<readonly RequestAttributeDto[]> {
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

  /** Credentials that values name stay until these are stored: whoever removes one looks for its users. */
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
    /** What the engine offers of it. */
    operations: {
      registerCredentialSource: (registered: CredentialSource): void => {
        source = registered;
      },
      assertCredentialsUsable: assertUsable,
      expandCredentials: (attributes: readonly RequestAttributeDto[]): Promise<RequestAttributeDto[]> =>
        Promise.all(attributes.map(expandOne)),
      /** Objects whose values name a credential. */
      findUsersOfCredentials,
    },
  };
}

interface NamedCredential {
  readonly attribute: string;
  readonly uuid: string;
}

/** An item that names none is refused when the values are checked. */
function namedCredentials(attributes: readonly RequestAttributeDto[]): NamedCredential[] {
  return attributes
    .filter(({ contentType }) => contentType === 'credential')
    .flatMap(({ name, content }) =>
      content.map((item) => ({ attribute: name.slice(0, 100), uuid: credentialUuid(item) ?? '' })),
    );
}

/** Credentials that an attribute does not name yet. */
function withoutPresent(
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

const maySee = (actor: Actor | undefined, uuid: string): boolean =>
  actor !== undefined && isVisible(visibleObjects(actor.permissions, 'credentials', 'detail'), uuid);

const unknownCredential = (attribute: string): string =>
  `Attribute ${attribute} names a credential that does not exist or is not visible to you.`;
