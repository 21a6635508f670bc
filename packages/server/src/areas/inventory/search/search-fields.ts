// Filter fields of certificates: properties, and issuance attributes and metadata as `name|CONTENTTYPE`. `c` is the
// certificate in the queries of this area.
import {
  CertificateKeyUsage,
  conditionsByType,
  type AttributeContentType,
  type FilterConditionOperator,
  type FilterFieldType,
  type PropertyFieldIdentifier,
} from '@signetry/contract';
import { sql } from 'kysely';
import { visibleObjects, type ObjectFilter, type RequestContext } from '../../../kernel/actor.ts';
import { readAttributeName, type AttributeName } from '../../../kernel/filter/attribute-name.ts';
import type { ValueType } from '../../../kernel/filter/field.ts';
import {
  bits,
  column,
  exists,
  reference,
  related,
  type SqlReading,
} from '../../../platform/database/filter/reading.ts';
import type { ObjectSource } from '../../../platform/database/filter/read-values.ts';
import { isShown } from '../../../platform/database/object-filter.ts';
import { lifetimeDays, privateKeyQuery, shownStateSql, type RegisteredField } from '../../certificates/index.ts';
import { sqlFields, type SqlField, type SqlFields } from '../../../platform/database/filter/sql-fields.ts';
import { fingerprint, indexedName, occursInText, serialNumber } from './store-indexes.ts';

/** Bit n represents key usage n from RFC 5280 §4.2.1.3. */
const usageBits = Object.fromEntries(CertificateKeyUsage.options.map((usage, position) => [usage, 1 << position]));

/** Returns the status of one check in the latest validation. */
const checkStatus = (check: 'ocsp_verification' | 'crl_verification' | 'signature') =>
  column(sql`(c.validation_result ->> ${sql.lit(check)})`);

const attributeSources = ['data', 'meta', 'custom'] as const;
export type AttributeSource = (typeof attributeSources)[number];

/** The caller's search fields: custom attributes that the caller cannot use match nothing. */
export type CertificateFields = (context: RequestContext) => SqlFields;

/** Certificates in the form in which conditions are evaluated. */
export const certificateSource: ObjectSource = {
  from: sql`certificate AS c`,
  key: sql`c.uuid`,
  name: sql`c.common_name`,
};

/** Returns the fields, including those registered before the first search. */
export function createCertificateFields(ofProtocols: readonly RegisteredField[]): CertificateFields {
  let known: SqlFields | undefined;
  return (context) => {
    known ??= sqlFields('certificates', {
      ...ownFields,
      ...Object.fromEntries(ofProtocols.map(({ field, reading }) => [field, reading])),
    });
    const { fields, lookup } = known;
    const usable = visibleObjects(context.actor.permissions, 'attributes', 'members');
    return {
      fields,
      lookup: (source, identifier) =>
        source === 'property' ? lookup(source, identifier) : attributeFieldOf(source, identifier, usable),
    };
  };
}

const ownFields = {
  COMMON_NAME: indexedName('c.common_name', { inText: true }),
  SERIAL_NUMBER: serialNumber,
  RA_PROFILE_NAME: reference({ column: 'c.ra_profile_uuid', table: 'ra_profile' }),
  CERTIFICATE_TYPE: column('c.certificate_type'),
  CERTIFICATE_STATE: column(shownStateSql),
  CERTIFICATE_VALIDATION_STATUS: column('c.validation_status'),
  COMPLIANCE_STATUS: column('c.compliance_status'),
  GROUP_NAME: related({
    from: sql`group_membership m JOIN object_group g ON g.uuid = m.group_uuid`,
    where: sql`m.object_resource = 'certificates' AND m.object_uuid = c.uuid`,
    value: 'g.name',
  }),
  OWNER: column('c.owner_username'),
  CERTIFICATE_PROTOCOL: column('c.protocol'),
  ISSUER_COMMON_NAME: indexedName('c.issuer_common_name'),
  SIGNATURE_ALGORITHM: column('c.signature_algorithm'),
  ALT_SIGNATURE_ALGORITHM: column('c.alt_signature_algorithm'),
  FINGERPRINT: fingerprint,
  NOT_AFTER: column('c.not_after'),
  NOT_BEFORE: column('c.not_before'),
  VALIDITY_DAYS: column(lifetimeDays, { valueType: 'number' }),
  PUBLIC_KEY_ALGORITHM: column('c.public_key_algorithm'),
  ALT_PUBLIC_KEY_ALGORITHM: column('c.alt_public_key_algorithm'),
  KEY_SIZE: column('c.key_size', { valueType: 'number' }),
  ALT_KEY_SIZE: column('c.alt_key_size', { valueType: 'number' }),
  KEY_USAGE: bits('c.key_usage', usageBits),
  SUBJECT_TYPE: column('c.subject_type'),
  SUBJECT_ALTERNATIVE_NAMES: column(sql`c.subject_alternative_names::text`, { impliedOfAll: occursInText }),
  SUBJECTDN: column('c.subject_dn', { impliedOfAll: occursInText }),
  ISSUERDN: column('c.issuer_dn'),
  ISSUER_SERIAL_NUMBER: column('c.issuer_serial_number'),
  OCSP_VALIDATION: checkStatus('ocsp_verification'),
  CRL_VALIDATION: checkStatus('crl_verification'),
  SIGNATURE_VALIDATION: checkStatus('signature'),
  PRIVATE_KEY: exists(privateKeyQuery),
  TRUSTED_CA: column('c.trusted_ca'),
  HYBRID_CERTIFICATE: column('c.hybrid_certificate'),
  ARCHIVED: column('c.archived'),
  SUCCEEDING_CERTIFICATES: related({
    from: sql`certificate_relation r`,
    where: sql`r.predecessor_uuid = c.uuid`,
    value: 'r.relation_type',
  }),
  PRECEDING_CERTIFICATES: related({
    from: sql`certificate_relation r`,
    where: sql`r.successor_uuid = c.uuid`,
    value: 'r.relation_type',
  }),
} as const satisfies Partial<Record<PropertyFieldIdentifier<'certificates'>, SqlReading>>;

function attributeFieldOf(source: AttributeSource, identifier: string, usable: ObjectFilter): SqlField | undefined {
  const named = readAttributeName(identifier);
  return named && attributeField({ ...named, source, usable });
}

export interface SourcedAttribute extends AttributeName {
  readonly source: AttributeSource;
}

export interface AttributeFacts extends SourcedAttribute {
  readonly label?: string;
  /** Custom attributes that can be used; all of them if absent. */
  readonly usable?: ObjectFilter;
}

interface AttributeForm {
  readonly type: FilterFieldType;
  readonly valueType: ValueType;
}

/** Times and date-times use the type `date`, as clients expect. */
function formOf(contentType: AttributeContentType): AttributeForm {
  switch (contentType) {
    case 'integer':
    case 'float':
      return { type: 'number', valueType: 'number' };
    case 'boolean':
      return { type: 'boolean', valueType: 'boolean' };
    case 'date':
    case 'time':
    case 'datetime':
      return { type: 'date', valueType: contentType };
    case 'string':
    case 'text':
    case 'secret':
    case 'file':
    case 'credential':
    case 'codeblock':
    case 'object':
      return { type: 'string', valueType: 'text' };
  }
}

/**
 * Returns the field for an attribute with this name and content type, from any connector. A certificate may have
 * multiple values.
 */
export function attributeField({ source, name, contentType, label, usable }: AttributeFacts): SqlField {
  const form = formOf(contentType);
  const conditions: readonly FilterConditionOperator[] =
    contentType === 'time'
      ? conditionsByType.date.filter((operator) => !operator.startsWith('IN_'))
      : conditionsByType[form.type];
  return {
    source,
    identifier: `${name}|${contentType.toUpperCase()}`,
    label: label ?? name,
    ...form,
    many: true,
    conditions: [...conditions],
    reading: attributeReading({ source, name, contentType, ...(usable ? { usable } : {}) }, form.valueType),
  };
}

function attributeReading({ source, name, contentType, usable }: AttributeFacts, valueType: ValueType): SqlReading {
  const counted = source === 'custom' && usable ? sql`AND ${isShown(sql`d.uuid`, usable)}` : sql``;
  return related({
    from: sql`attribute_value v JOIN attribute_definition d ON d.uuid = v.definition_uuid`,
    where: sql`v.object_resource = 'certificates' AND v.object_uuid = c.uuid
      AND d.type = ${source}::text AND d.name = ${name}::text AND d.content_type = ${contentType}::text ${counted}`,
    value: valueType === 'number' ? 'v.value_number' : castText(contentType, valueType),
    valueType,
  });
}

/** Casts only values of this content type, because a join may also evaluate rows of other types. */
function castText(contentType: AttributeContentType, valueType: ValueType) {
  if (valueType === 'text') return 'v.value_text';
  const type = sql.raw(
    { boolean: 'boolean', date: 'date', time: 'time', datetime: 'timestamptz', number: 'numeric' }[valueType],
  );
  return sql`(CASE WHEN d.content_type = ${contentType}::text THEN v.value_text::${type} END)`;
}
