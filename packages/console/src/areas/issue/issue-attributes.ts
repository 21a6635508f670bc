// The attributes that an authority defines for issuing, without those that the page has fields for.
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
 * Attributes that the names on the page stand for. A request that was made elsewhere can be corrected by them.
 */
const NAMES: ReadonlySet<string> = new Set(['data_subject', 'data_altNames']);

const isAskedByPage = (definition: BaseAttributeDto): boolean =>
  isField(definition) && NAMES.has(definition.name) && !definition.properties.required;

export interface IssueAttributes {
  readonly form: AttributeFormModel;
  /** Whether there is anything to show. */
  readonly isShown: boolean;
  /** The definitions are not loaded yet. */
  readonly isLoading: boolean;
  /** The definitions could not be loaded. */
  readonly error: unknown;
}

export function useIssueAttributes(
  profile: IssuingProfile | undefined,
  { asksForNames }: { readonly asksForNames: boolean },
): IssueAttributes {
  const { data, error, isPending } = useQuery(definitionsQuery(profile));
  const definitions = (data ?? []).filter((definition) => !(asksForNames && isAskedByPage(definition)));
  const form = useAttributeForm({ source: profile?.uuid ?? '', definitions });
  return {
    form,
    isShown: definitions.some(isShown),
    isLoading: profile !== undefined && isPending,
    error: data ? undefined : error,
  };
}
