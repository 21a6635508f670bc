// The subject of a certification request that the platform makes with a key of its own, as attributes to be filled in.
import type { DataAttribute } from '@signetry/contract';

/** RFC 5280 appendix A: ub-common-name. */
const MAX_COMMON_NAME = 64;

interface Part {
  /** Where identifiers differ; clients keep values under them. */
  readonly id: string;
  readonly name: string;
  readonly label: string;
  readonly required?: boolean;
  /** What the whole value has to match, and how that is said. */
  readonly form?: readonly [expression: string, message: string];
}

const subjectPart = ({ id, name, label, required = false, form }: Part): DataAttribute => ({
  version: 2,
  uuid: `${id}-973d-11ed-a8fc-0242ac120002`,
  name,
  type: 'data',
  contentType: 'string',
  properties: { label, visible: true, required, readOnly: false, list: false, multiSelect: false },
  ...(form && { constraints: [{ type: 'regExp', data: form[0], errorMessage: form[1] }] }),
});

/** In the order of a form. */
export const csrAttributes: readonly DataAttribute[] = [
  subjectPart({
    id: '9abaeba0',
    name: 'commonName',
    label: 'Common Name',
    required: true,
    form: [`^.{0,${MAX_COMMON_NAME}}$`, `A common name has at most ${MAX_COMMON_NAME} characters.`],
  }),
  subjectPart({ id: '9abaef60', name: 'organizationalUnit', label: 'Organizational Unit' }),
  subjectPart({ id: '9abaf0be', name: 'organization', label: 'Organization' }),
  subjectPart({ id: '9abaf208', name: 'locality', label: 'Locality' }),
  subjectPart({ id: '9abaf33e', name: 'state', label: 'State' }),
  subjectPart({
    id: '9abaf488',
    name: 'country',
    label: 'Country',
    form: ['^[A-Z]{2}$', 'A country is given by its two upper-case letters (ISO 3166).'],
  }),
];
