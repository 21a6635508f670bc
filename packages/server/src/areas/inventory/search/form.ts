// Search fields of the certificate list and their stored values. Clients build the filter form from them. Reading the
// values requires a full table scan, so they are cached.
import type { AttributeContentType, NameAndUuidDto, Resource, SearchFieldDataByGroupDto } from '@signetry/contract';
import { LRUCache } from 'lru-cache';
import { isAllowed, showsAny, visibleObjects, type ObjectFilter, type RequestContext } from '../../../kernel/actor.ts';
import { presentSearchFields, type FieldUse } from '../../../kernel/filter/present-fields.ts';
import type { Platform } from '../../../platform/platform.ts';
import { listedRaProfiles, type RegisteredField } from '../../certificates/index.ts';
import { attributeField, type AttributeSource, type CertificateFields } from './search-fields.ts';
import {
  findAttributeFields,
  findCustomFields,
  findObjectNames,
  findStoredChoices,
  type NamedObjects,
} from './store-form.ts';

/**
 * Rereading the choices may take up at most 1 / SHARE_OF_TIME of the time. In a small inventory, new choices therefore
 * appear immediately.
 */
const SHARE_OF_TIME = 60;
/** Maximum number of sets of RA profiles whose choices are cached. Each kind of caller has one set. */
const MAX_REMEMBERED = 50;

/** Column values and attributes, which are slow to read. */
interface Choices {
  readonly values: Readonly<Record<string, readonly unknown[]>>;
  readonly attributes: readonly StoredAttribute[];
}

interface CachedChoices {
  readonly choices: Promise<Choices>;
  /** Time after which the entry is stale; infinite while it is being read. */
  untilMs: number;
}

const NOTHING: Choices = { values: {}, attributes: [] };

export interface SearchFormParts {
  readonly fields: CertificateFields;
  readonly furtherFields: readonly RegisteredField[];
}

/** Values come from certificates that the caller can list, names from objects that the caller can list. */
export function createSearchForm(
  { database: { executor }, clock }: Platform,
  { fields, furtherFields }: SearchFormParts,
) {
  const remembered = new LRUCache<string, CachedChoices>({ max: MAX_REMEMBERED });

  async function readChoices(raProfiles: ObjectFilter): Promise<Choices> {
    const values = choicesOf(await findStoredChoices(executor, raProfiles));
    return { values, attributes: await findAttributeFields(executor, raProfiles) };
  }

  function choicesFor(raProfiles: ObjectFilter): Promise<Choices> {
    if (!showsAny(raProfiles)) return Promise.resolve(NOTHING);
    const key = keyOf(raProfiles);
    const startedMs = clock.monotonicMs();
    const known = remembered.get(key);
    if (known && startedMs < known.untilMs) return known.choices;
    const reading: CachedChoices = { choices: readChoices(raProfiles), untilMs: Infinity };
    remembered.set(key, reading);
    reading.choices.then(
      () => {
        const endedMs = clock.monotonicMs();
        reading.untilMs = endedMs + (endedMs - startedMs) * SHARE_OF_TIME;
      },
      () => remembered.delete(key),
    );
    return reading.choices;
  }

  return async (context: RequestContext, use: FieldUse = 'search'): Promise<SearchFieldDataByGroupDto[]> => {
    const { values, attributes } = await choicesFor(listedRaProfiles(context));
    const names = await findObjectNames(executor, namedObjects(context));
    const toOption = (object: NameAndUuidDto): unknown => (use === 'search' ? object.name : object);
    const stored = (values['OWNER'] ?? []).filter((owner) => canName(owner, context));
    const custom = await findCustomFields(executor, usableAttributes(context));
    const ofProtocols = await Promise.all(
      furtherFields.map(async ({ field, list }) => [field, await list(executor, context)] as const),
    );
    return presentSearchFields('certificates', {
      fields: fields(context).fields,
      values: {
        ...values,
        OWNER: use === 'search' ? stored : names.users,
        RA_PROFILE_NAME: names.raProfiles.map(toOption),
        GROUP_NAME: names.groups.map(toOption),
        ...Object.fromEntries(ofProtocols),
      },
      attributes: groupsOf(use === 'settable' ? custom.filter((each) => !each.read_only) : [...attributes, ...custom]),
      use,
    });
  };
}

const keyOf = (filter: ObjectFilter): string =>
  [filter.kind, ...[...(filter.kind === 'all' ? filter.except : filter.uuids)].toSorted()].join(' ');

function namedObjects({ actor }: RequestContext): NamedObjects {
  const listed = (resource: Resource) => visibleObjects(actor.permissions, resource, 'list');
  return {
    raProfiles: listed('raProfiles'),
    authorities: listed('authorities'),
    groups: listed('groups'),
    users: listed('users'),
  };
}

const usableAttributes = ({ actor }: RequestContext): ObjectFilter =>
  visibleObjects(actor.permissions, 'attributes', 'members');

/** Returns whether the caller may see the name. Users can always see their own name. */
const canName = (owner: unknown, { actor }: RequestContext): boolean =>
  owner === actor.username || isAllowed(actor.permissions, 'users', 'list');

type Choice = Awaited<ReturnType<typeof findStoredChoices>>[number];

const columns = {
  SIGNATURE_ALGORITHM: 'signature_algorithm',
  ALT_SIGNATURE_ALGORITHM: 'alt_signature_algorithm',
  PUBLIC_KEY_ALGORITHM: 'public_key_algorithm',
  ALT_PUBLIC_KEY_ALGORITHM: 'alt_public_key_algorithm',
  KEY_SIZE: 'key_size',
  ALT_KEY_SIZE: 'alt_key_size',
  OWNER: 'owner_username',
} as const satisfies Record<string, keyof Choice>;

function choicesOf(rows: readonly Choice[]): Record<string, readonly unknown[]> {
  return Object.fromEntries(
    Object.entries(columns).map(([field, column]) => {
      const values = new Set(rows.flatMap((row) => (row[column] === null ? [] : [row[column]])));
      return [field, [...values].sort(byValue)];
    }),
  );
}

const byValue = (a: string | number, b: string | number): number =>
  typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : 1;

interface StoredAttribute {
  readonly source: AttributeSource;
  readonly name: string;
  readonly content_type: AttributeContentType;
  readonly label: string;
}

/**
 * Groups the search fields. If attributes share a name but differ in content type, the label includes the content type.
 */
function groupsOf(attributes: readonly StoredAttribute[]): SearchFieldDataByGroupDto[] {
  const kinds = new Map<string, Set<string>>();
  const nameOf = ({ source, name }: StoredAttribute) => `${source} ${name}`;
  for (const each of attributes) kinds.set(nameOf(each), (kinds.get(nameOf(each)) ?? new Set()).add(each.content_type));
  const fields = new Map(
    attributes.map((each) => {
      const label = (kinds.get(nameOf(each))?.size ?? 0) > 1 ? `${each.label} (${each.content_type})` : each.label;
      const field = attributeField({ source: each.source, name: each.name, contentType: each.content_type, label });
      return [`${field.source} ${field.identifier}`, { field, contentType: each.content_type }] as const;
    }),
  );
  return (['data', 'meta', 'custom'] as const).map((source) => ({
    filterFieldSource: source,
    searchFieldData: [...fields.values()]
      .filter(({ field }) => field.source === source)
      .map(({ field, contentType }) => ({
        fieldIdentifier: field.identifier,
        fieldLabel: field.label,
        type: field.type,
        conditions: [...field.conditions],
        attributeContentType: contentType,
        multiValue: false,
      })),
  }));
}
