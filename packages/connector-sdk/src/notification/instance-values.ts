// An instance's values in two parts: those that can be shown, and those that are sealed. Files may be key stores, and
// credentials include their secrets.
import type {
  BaseAttributeDto,
  DataAttribute,
  NotificationProviderInstanceDto,
  RequestAttributeDto,
} from '@signetry/contract';
import type { ConnectorContext } from '../connector.ts';
import type { InstanceRow } from './instance-store.ts';
import { secretsPurpose } from './notification-migrations.ts';

type Values = readonly RequestAttributeDto[];

const HIDDEN: ReadonlySet<string> = new Set(['secret', 'file', 'credential']);

const isHidden = ({ contentType }: Pick<RequestAttributeDto, 'contentType'>): boolean =>
  contentType !== undefined && HIDDEN.has(contentType);

/** Returns the values that can be shown. */
export const visibleValues = (values: Values): Values => values.filter((value) => !isHidden(value));

export function sealHidden({ seal }: Pick<ConnectorContext, 'seal'>, uuid: string, values: Values): Uint8Array | null {
  const hidden = values.filter((value) => isHidden(value) && value.content.length > 0);
  if (hidden.length === 0) return null;
  return seal(new TextEncoder().encode(JSON.stringify(hidden)), secretsPurpose(uuid));
}

export function openHidden(
  { open }: Pick<ConnectorContext, 'open'>,
  { uuid, sealed_secrets: sealed }: Pick<InstanceRow, 'uuid' | 'sealed_secrets'>,
): Values {
  if (sealed === null) return [];
  // `sealHidden` sealed these values.
  return JSON.parse(new TextDecoder().decode(open(sealed, secretsPurpose(uuid)))) as Values;
}

/** Adds the stored hidden values that were not sent again; a hidden value sent without content is removed. */
export function withStoredHidden(given: Values, kept: Values): Values {
  const names = new Set(given.map(({ name }) => name));
  return [...given, ...kept.filter(({ name }) => !names.has(name))];
}

export const presentInstance = (
  { uuid, name, attributes }: Pick<InstanceRow, 'uuid' | 'name' | 'attributes'>,
  definitions: readonly BaseAttributeDto[],
): NotificationProviderInstanceDto => ({
  uuid,
  name,
  attributes: definitions.flatMap((definition) => toDataAttributes(definition, attributes)),
});

/** Returns a definition with its value. */
function toDataAttributes(definition: BaseAttributeDto, values: Values): DataAttribute[] {
  if (definition.type !== 'data') return [];
  const content = values.find(({ name }) => name === definition.name)?.content ?? [];
  if (content.length === 0) return [];
  const choices = definition.properties.list ? definition.content : undefined;
  // Choices have display text, which callers need not send.
  const worded = content.map((item) => choices?.find(({ data }) => data === item.data) ?? item);
  return [{ ...definition, content: worded }];
}
