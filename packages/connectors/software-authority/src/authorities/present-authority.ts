// Converts CAs to the format of the connector interface.
import type { AuthorityProviderInstanceDto, BaseAttributeDto, RequestAttributeDto } from '@signetry/contract';
import type { AuthorityRow } from './authority-store.ts';

export const presentAuthority = (
  row: Pick<AuthorityRow, 'uuid' | 'name' | 'attributes'>,
  definitions: readonly BaseAttributeDto[],
): AuthorityProviderInstanceDto => ({
  uuid: row.uuid,
  name: row.name,
  attributes: definitions.flatMap((definition) => withValue(definition, row.attributes) ?? []),
});

function withValue(definition: BaseAttributeDto, values: readonly RequestAttributeDto[]): BaseAttributeDto | undefined {
  const value = values.find(({ name }) => name === definition.name);
  return value && definition.type === 'data' ? { ...definition, content: value.content } : undefined;
}
