// The fields that the list of certificates can be searched by, with the values that are stored: what clients build the form of
// their filters from. Reading the values costs a pass over the table, so they are remembered for a while.
import type { AttributeContentType, SearchFieldDataByGroupDto } from '@signetry/contract';
import { presentSearchFields } from '../../kernel/filter/present-fields.ts';
import type { Platform } from '../../platform/platform.ts';
import { attributeField, certificateFields, type AttributeSource } from './search-fields.ts';
import { findAttributeFields, findObjectNames, findStoredChoices } from './store-search-form.ts';

/** Reading the choices again may cost one part in so many of the time; a small inventory shows a new choice at once. */
const SHARE_OF_TIME = 60;

type Choices = Readonly<Record<string, readonly unknown[]>>;

export function createSearchForm({ database, clock }: Platform): () => Promise<SearchFieldDataByGroupDto[]> {
  let remembered: { readonly choices: Choices; readonly untilMs: number } | undefined;
  let reading: Promise<Choices> | undefined;

  async function readChoices(): Promise<Choices> {
    const startedMs = clock.monotonicMs();
    const choices = choicesOf(await findStoredChoices(database.executor));
    const endedMs = clock.monotonicMs();
    remembered = { choices, untilMs: endedMs + (endedMs - startedMs) * SHARE_OF_TIME };
    return choices;
  }

  function storedChoices(): Promise<Choices> {
    if (remembered && clock.monotonicMs() < remembered.untilMs) return Promise.resolve(remembered.choices);
    reading ??= readChoices().finally(() => (reading = undefined));
    return reading;
  }

  return async () => {
    const stored = await storedChoices();
    const names = await findObjectNames(database.executor);
    const attributes = await findAttributeFields(database.executor);
    return presentSearchFields('certificates', {
      fields: certificateFields.fields,
      values: {
        ...stored,
        RA_PROFILE_NAME: names.raProfiles,
        GROUP_NAME: names.groups,
        ACME_PROFILE: names.acmeProfiles,
        ACME_ACCOUNT: names.acmeAccounts,
      },
      attributes: groupsOf(attributes),
    });
  };
}

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

/** The same name with several content types is told apart by the content type in its label. */
function groupsOf(attributes: readonly StoredAttribute[]): SearchFieldDataByGroupDto[] {
  const kinds = new Map<string, Set<string>>();
  const keyOf = ({ source, name }: StoredAttribute) => `${source} ${name}`;
  for (const each of attributes) kinds.set(keyOf(each), (kinds.get(keyOf(each)) ?? new Set()).add(each.content_type));
  const fields = new Map(
    attributes.map((each) => {
      const label = (kinds.get(keyOf(each))?.size ?? 0) > 1 ? `${each.label} (${each.content_type})` : each.label;
      const field = attributeField({ source: each.source, name: each.name, contentType: each.content_type, label });
      return [`${field.source} ${field.identifier}`, { field, contentType: each.content_type }] as const;
    }),
  );
  return (['data', 'meta'] as const).map((source) => ({
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
