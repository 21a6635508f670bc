// Attributes that an authority defines for issuance, except those that the page covers with separate fields.
import type { BaseAttributeDto } from '@signetry/contract';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { isField, isShown } from '../../ui/attributes/attribute-values.ts';
import { definitionsOf } from '../../ui/attributes/definitions.ts';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';
import type { IssuingProfile } from '../../queries/ra-profiles.ts';

const definitionsQuery = (profile: IssuingProfile | undefined) =>
  queryOptions({
    queryKey: ['raProfiles', 'issue-attributes', profile?.uuid],
    queryFn: async ({ signal }) => {
      const params = { authorityUuid: profile?.authorityUuid ?? '', raProfileUuid: profile?.uuid ?? '' };
      return definitionsOf(await api.clientOperations.listIssueCertificateAttributes({ params }, { signal }));
    },
    enabled: profile !== undefined,
    staleTime: 60_000,
  });

/**
 * Attributes that the names field covers. For a CSR that was generated elsewhere, they are shown as well, because they
 * can be used to correct it.
 */
const NAMES: ReadonlySet<string> = new Set(['data_subject', 'data_altNames']);

const isFilledByPage = (definition: BaseAttributeDto): boolean =>
  isField(definition) && NAMES.has(definition.name) && !definition.properties.required;

export interface IssueAttributes {
  readonly form: AttributeFormModel;
  /** Whether any attribute is shown. */
  readonly isShown: boolean;
  /** Whether the definitions are still loading. */
  readonly isLoading: boolean;
  /** Error if the definitions could not be loaded. */
  readonly error: unknown;
}

export function useIssueAttributes(
  profile: IssuingProfile | undefined,
  { asksForNames }: { readonly asksForNames: boolean },
): IssueAttributes {
  const { data, error, isPending } = useQuery(definitionsQuery(profile));
  const definitions = (data ?? []).filter((definition) => !(asksForNames && isFilledByPage(definition)));
  const form = useAttributeForm({ source: profile?.uuid ?? '', definitions });
  return {
    form,
    isShown: definitions.some(isShown),
    isLoading: profile !== undefined && isPending,
    error: data ? undefined : error,
  };
}
