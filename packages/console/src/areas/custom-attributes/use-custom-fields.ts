// Custom attributes in an object's form, in addition to its other fields.
import type { BaseAttributeDto, RequestAttributeDto, Resource, ResponseAttributeDto } from '@signetry/contract';
import { useQuery } from '@tanstack/react-query';
import type { FurtherFields } from '../../kit/use-object-form.ts';
import { resourceAttributesQuery } from '../../queries/custom-attributes.ts';
import { useAttributeForm, type AttributeFormModel } from '../../ui/attributes/use-attribute-form.ts';

export interface CustomFields extends FurtherFields {
  readonly form: AttributeFormModel;
  /** Whether the definitions have been loaded. */
  readonly isKnown: boolean;
  /** Set if the definitions could not be loaded; existing values are then kept. */
  readonly error: unknown;
  /**
   * Returns the values to send. While the definitions are not loaded, it returns none, which keeps the existing values.
   */
  readonly request: () => { readonly customAttributes?: RequestAttributeDto[] };
}

const none: readonly BaseAttributeDto[] = [];

/**
 * Returns the form for an object's custom attributes. `present` is absent for a new object. Partial values are for
 * objects that do not exist yet: required attributes may then be left empty.
 */
export function useCustomFields(
  resource: Resource,
  present: readonly ResponseAttributeDto[] | undefined,
  { isPartial = false }: { readonly isPartial?: boolean } = {},
): CustomFields {
  const { data, error } = useQuery(resourceAttributesQuery(resource));
  const definitions = isPartial ? data?.map(toOptional) : data;
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

const toOptional = (definition: BaseAttributeDto): BaseAttributeDto =>
  definition.type === 'custom'
    ? { ...definition, properties: { ...definition.properties, required: false } }
    : definition;

/** Combines other fields with the custom attributes. */
export const withCustomFields = <Others extends FurtherFields>(others: Others, custom: CustomFields) => ({
  ...others,
  custom,
  isDirty: others.isDirty || custom.isDirty,
  // Each form marks its own fields and focuses its first invalid one.
  check: (): boolean => others.check() && custom.check(),
  refuse: (problems: readonly string[]): readonly string[] => custom.refuse(others.refuse(problems)),
});
