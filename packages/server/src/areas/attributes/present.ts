// API representation of stored values. The rows read here contain no secrets.
import type {
  DataAttribute,
  MetadataAttribute,
  MetadataResponseDto,
  RequestAttributeDto,
  Resource,
  ResponseAttributeDto,
  ResponseMetadataDto,
} from '@signetry/contract';
import type { ContentItem } from './attribute-terms.ts';
import { isSecret, maskedItem } from './secrets.ts';
import type { JoinedValue } from './store-values.ts';

/** Groups consecutive rows of an attribute into one value with its items in order. */
function groupedByAttribute(rows: readonly JoinedValue[]): JoinedValue[][] {
  const groups = new Map<string, JoinedValue[]>();
  for (const row of rows) {
    const key = `${row.attribute_uuid} ${row.name}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}

type OpenItem = (row: JoinedValue) => ContentItem;

const shownItem: OpenItem = (row) => row.item as ContentItem; // The item was stored as a `ContentItem`.

/**
 * Returns an object's values for display. Rows from earlier versions may contain, in cleartext, values that are now
 * considered secrets.
 */
export function presentValues(rows: readonly JoinedValue[], resource: Resource): ResponseAttributeDto[] {
  const maskSecret: OpenItem = (row) =>
    isSecret(row.content_type, resource) ? maskedItem(row.content_type, shownItem(row)) : shownItem(row);
  return groupedByAttribute(rows).flatMap((group) => {
    const [first] = group;
    return first ? [{ ...facts(first), content: group.map(maskSecret) }] : [];
  });
}

const facts = (row: JoinedValue) => ({
  uuid: row.attribute_uuid,
  name: row.name,
  label: row.label,
  type: row.type,
  contentType: row.content_type,
});

/** Returns values in the form in which they are sent to a connector. */
export function requestValues(rows: readonly JoinedValue[], open: OpenItem): RequestAttributeDto[] {
  return groupedByAttribute(rows).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    return [
      { uuid: first.attribute_uuid, name: first.name, contentType: first.content_type, content: group.map(open) },
    ];
  });
}

/** Returns values with their definitions, as sent to connectors for the contents of a credential. */
export function valuesWithDefinitions(rows: readonly JoinedValue[], open: OpenItem): DataAttribute[] {
  return groupedByAttribute(rows).flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const definition = first.definition as unknown as DataAttribute; // The definition was stored as a `DataAttribute`.
    return [{ ...definition, content: group.map(open) }];
  });
}

/** Returns metadata with its definitions, as received from the connector. */
export function metadataForConnector(rows: readonly JoinedValue[], open: OpenItem): MetadataAttribute[] {
  return groupedByAttribute(rows).flatMap((group) => {
    const [first] = group;
    return first
      ? [{ ...(first.definition as unknown as MetadataAttribute), content: uniqueItems(group.map(open)) }]
      : []; // The definition was stored as a `MetadataAttribute`.
  });
}

/**
 * Returns metadata grouped by connector and, within each connector, by kind of source. Each item lists all of its
 * sources.
 */
export function presentMetadata(
  rows: readonly JoinedValue[],
  connectorNames: ReadonlyMap<string, string>,
): MetadataResponseDto[] {
  const groups = new Map<string, JoinedValue[]>();
  for (const row of rows) {
    const key = `${row.connector_uuid ?? ''} ${row.source_resource ?? ''}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { connector_uuid: connectorUuid, source_resource: source } = first;
    return [
      {
        ...(connectorUuid === null ? {} : { connectorUuid, connectorName: connectorNames.get(connectorUuid) }),
        ...(source === null ? {} : { sourceObjectType: source as Resource }), // Written from a `Resource`.
        items: groupedByAttribute(group).flatMap(metadataItem),
      },
    ];
  });
}

function metadataItem(group: readonly JoinedValue[]): ResponseMetadataDto[] {
  const [first] = group;
  if (!first) return [];
  const sources = new Map(
    group.flatMap((row) => (row.source_uuid === null ? [] : [[row.source_uuid, row.source_name ?? ''] as const])),
  );
  return [
    {
      ...facts(first),
      content: uniqueItems(group.map(shownItem)),
      sourceObjects: [...sources].map(([uuid, name]) => ({ uuid, name })),
    },
  ];
}

/** Returns each item once, even if it has multiple sources. */
const uniqueItems = (items: readonly ContentItem[]): ContentItem[] => [
  ...new Map(items.map((item) => [JSON.stringify(item), item])).values(),
];
