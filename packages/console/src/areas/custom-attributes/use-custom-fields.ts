// Custom attributes in the form of an object, beside its other fields.
import type { BaseAttributeDto, RequestAttributeDto, Resource, ResponseAttributeDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { FurtherFields } from '../../kit/use-object-form.ts';
import { resourceAttributesQuery } from '../../queries/custom-attributes.ts';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';

export interface CustomFields extends FurtherFields {
  readonly form: AttributeFormModel;
  /** The definitions are there. */
  readonly isKnown: boolean;
  /** The definitions could not be fetched: existing values are kept. */
  readonly error: unknown;
  /** What is sent; nothing at all while the definitions are unknown, which keeps the values that are there. */
  readonly request: () => { readonly customAttributes?: RequestAttributeDto[] };
}

const none: readonly BaseAttributeDto[] = [];

/** `present` is absent for a new object. Partial values wait for objects to come and need not be complete. */
export function useCustomFields(
  resource: Resource,
  present: readonly ResponseAttributeDto[] | undefined,
  { isPartial = false }: { readonly isPartial?: boolean } = {},
): CustomFields {
  const { data, error } = useQuery(resourceAttributesQuery(resource));
  const definitions = isPartial ? data?.map(notRequired) : data;
  const form = useAttributeForm({ source: resource, definitions: definitions ?? none, present });
  const { isDirty, check, refuse } = form;
  return {
    form,
    isKnown: data !== undefined,
    error: data ? undefined : error,
    isDirty,
    check,
    refuse,
    request: () => (data && data.length > 0 ? { customAttributes: form.request() } : {}),
  };
}

const notRequired = (definition: BaseAttributeDto): BaseAttributeDto =>
  definition.type === 'custom'
    ? { ...definition, properties: { ...definition.properties, required: false } }
    : definition;

/** Other fields together with the custom ones. */
export const withCustomFields = <Others extends FurtherFields>(others: Others, custom: CustomFields) => ({
  ...others,
  custom,
  isDirty: others.isDirty || custom.isDirty,
  // Each marks its own fields; the focus is at the first that is wrong.
  check: (): boolean => others.check() && custom.check(),
  refuse: (problems: readonly string[]): readonly string[] => custom.refuse(others.refuse(problems)),
});
