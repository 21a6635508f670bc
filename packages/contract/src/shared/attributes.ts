// Attributes of the interface: definitions, content items, constraints, callbacks, and the formats of values in
// requests and responses. Contains only schemas; the attribute engine checks values against their definitions. Long
// because the schemas refer to each other.
import { z } from 'zod';
import {
  AttributeContentType,
  AttributeType,
  AttributeValueTarget,
  ProgrammingLanguageEnum,
} from '../enums/attributes.ts';
import { Resource } from '../platform/resource.ts';
import { date, dateTime, int32, line } from '../primitives.ts';
import { NameAndUuidDto } from './objects.ts';

// ---- content items ----

/** A content item: the value and, optionally, the text that represents it in lists. */
const contentItem = <const Id extends string, Value extends z.ZodType>(id: Id, data: Value) =>
  z.object({ reference: z.string().optional(), data }).meta({ id });

export const StringAttributeContent = contentItem('StringAttributeContent', z.string());
export const TextAttributeContent = contentItem('TextAttributeContent', z.string());
export const IntegerAttributeContent = contentItem('IntegerAttributeContent', int32());
export const FloatAttributeContent = contentItem('FloatAttributeContent', z.number().meta({ format: 'float' }));
export const BooleanAttributeContent = contentItem('BooleanAttributeContent', z.boolean());
export const DateAttributeContent = contentItem('DateAttributeContent', date());
/** Time of day, `HH:mm:ss`. */
export const TimeAttributeContent = contentItem('TimeAttributeContent', z.string());
export const DateTimeAttributeContent = contentItem('DateTimeAttributeContent', dateTime());

// Structured values are loose objects: the union of contents below must preserve values that merely resemble one of
// them.

/** A secret is absent in responses; if absent in an update, the stored secret is unchanged. */
export const SecretAttributeContentData = z
  .looseObject({ secret: z.string().optional(), protectionLevel: z.string().optional() })
  .meta({ id: 'SecretAttributeContentData' });
export const SecretAttributeContent = contentItem('SecretAttributeContent', SecretAttributeContentData);

/** A file; `content` is Base64. */
export const FileAttributeContentData = z
  .looseObject({ content: z.string(), fileName: z.string(), mimeType: z.string() })
  .meta({ id: 'FileAttributeContentData' });
export const FileAttributeContent = contentItem('FileAttributeContent', FileAttributeContentData);

/** A piece of source code; `code` is Base64. */
export const CodeBlockAttributeContentData = z
  .looseObject({ language: ProgrammingLanguageEnum, code: z.string() })
  .meta({ id: 'CodeBlockAttributeContentData' });
export const CodeBlockAttributeContent = contentItem('CodeBlockAttributeContent', CodeBlockAttributeContentData);

/** Any JSON value. */
export const ObjectAttributeContent = contentItem('ObjectAttributeContent', z.unknown());

/** A complete credential, as sent to connectors. Callers of the platform send only `uuid` and `name`. */
export const CredentialAttributeContentData = z
  .looseObject({
    uuid: z.string(),
    name: z.string(),
    kind: z.string(),
    get attributes(): z.ZodArray<typeof DataAttribute> {
      return z.array(DataAttribute);
    },
  })
  .meta({ id: 'CredentialAttributeContentData' });
export type CredentialAttributeContentData = z.output<typeof CredentialAttributeContentData>;
export const CredentialAttributeContent = contentItem('CredentialAttributeContent', CredentialAttributeContentData);

/**
 * A content item of any type. The `contentType` of the enclosing attribute determines the variant; this schema accepts
 * an item that matches any type. The least specific variants come last, so that the first match is lossless.
 */
export const BaseAttributeContentDto = z
  .union([
    BooleanAttributeContent,
    CodeBlockAttributeContent,
    CredentialAttributeContent,
    DateAttributeContent,
    DateTimeAttributeContent,
    FileAttributeContent,
    FloatAttributeContent,
    IntegerAttributeContent,
    StringAttributeContent,
    TextAttributeContent,
    TimeAttributeContent,
    SecretAttributeContent,
    ObjectAttributeContent,
  ])
  .meta({ id: 'BaseAttributeContentDto' });
export type BaseAttributeContentDto = z.output<typeof BaseAttributeContentDto>;

/** Content item schema for each content type. */
export const contentItemSchemas = {
  string: StringAttributeContent,
  text: TextAttributeContent,
  integer: IntegerAttributeContent,
  boolean: BooleanAttributeContent,
  float: FloatAttributeContent,
  date: DateAttributeContent,
  time: TimeAttributeContent,
  datetime: DateTimeAttributeContent,
  secret: SecretAttributeContent,
  file: FileAttributeContent,
  credential: CredentialAttributeContent,
  codeblock: CodeBlockAttributeContent,
  object: ObjectAttributeContent,
} as const satisfies Record<AttributeContentType, z.ZodType>;

/**
 * Returns the schema of a content item. Newer connectors use types that are unknown here; their items can be anything.
 */
export const contentItemSchemaOf = (contentType: string): z.ZodType<ContentItem, ContentItem> =>
  (contentItemSchemas as Readonly<Record<string, z.ZodType<ContentItem, ContentItem>>>)[contentType] ??
  ObjectAttributeContent;

interface ContentItem {
  readonly reference?: string | undefined;
  readonly data?: unknown;
}

// ---- constraints and callbacks ----

const constraint = <Type extends z.ZodType, Value extends z.ZodType>(type: Type, data: Value) =>
  z.object({ type, description: z.string().optional(), errorMessage: z.string().optional(), data: data.optional() });

/** A regular expression that must match every string item in full. */
export const RegexpAttributeConstraint = constraint(z.literal('regExp'), z.string()).meta({
  id: 'RegexpAttributeConstraint',
});

export const RangeAttributeConstraintData = z
  .object({ from: int32().optional(), to: int32().optional() })
  .meta({ id: 'RangeAttributeConstraintData' });
/** Inclusive bounds of integer and float items. */
export const RangeAttributeConstraint = constraint(z.literal('range'), RangeAttributeConstraintData).meta({
  id: 'RangeAttributeConstraint',
});

export const DateTimeAttributeConstraintData = z
  .object({ from: dateTime().optional(), to: dateTime().optional() })
  .meta({ id: 'DateTimeAttributeConstraintData' });
/** Inclusive bounds of datetime items. */
export const DateTimeAttributeConstraint = constraint(z.literal('dateTime'), DateTimeAttributeConstraintData).meta({
  id: 'DateTimeAttributeConstraint',
});

export const BaseAttributeConstraintDto = z
  .discriminatedUnion('type', [RegexpAttributeConstraint, RangeAttributeConstraint, DateTimeAttributeConstraint])
  .meta({ id: 'BaseAttributeConstraintDto' });
export type BaseAttributeConstraintDto = z.output<typeof BaseAttributeConstraintDto>;

/** Source of a callback value (`from` another attribute, or the constant `value`) and its destination. */
export const AttributeCallbackMapping = z
  .object({
    from: z.string().optional(),
    attributeType: AttributeType.optional(),
    attributeContentType: AttributeContentType.optional(),
    to: z.string(),
    targets: z.array(AttributeValueTarget),
    value: z.unknown().optional(),
  })
  .meta({ id: 'AttributeCallbackMapping' });
export type AttributeCallbackMapping = z.output<typeof AttributeCallbackMapping>;

/** Request that fetches the values of an attribute while a form is being filled in. */
export const AttributeCallback = z
  .object({
    callbackContext: z.string(),
    callbackMethod: z.string(),
    mappings: z.array(AttributeCallbackMapping),
  })
  .meta({ id: 'AttributeCallback' });
export type AttributeCallback = z.output<typeof AttributeCallback>;

// ---- definitions ----

const shown = {
  label: z.string(),
  visible: z.boolean().default(true),
  group: z.string().optional(),
};

const entered = {
  required: z.boolean().default(false),
  readOnly: z.boolean().default(false),
  list: z.boolean().default(false),
  multiSelect: z.boolean().default(false),
};

export const DataAttributeProperties = z.object({ ...shown, ...entered }).meta({ id: 'DataAttributeProperties' });
export const CustomAttributeProperties = z.object({ ...shown, ...entered }).meta({ id: 'CustomAttributeProperties' });
export const InfoAttributeProperties = z.object(shown).meta({ id: 'InfoAttributeProperties' });
export const MetadataAttributeProperties = z
  .object({ ...shown, global: z.boolean().default(false), overwrite: z.boolean().default(false) })
  .meta({ id: 'MetadataAttributeProperties' });

const definition = {
  version: int32().default(2),
  uuid: z.string(),
  name: z.string(),
  description: z.string().optional(),
};

/** Input of an operation, defined by a connector or by the platform itself. */
export const DataAttribute = z
  .object({
    ...definition,
    type: z.literal('data'),
    content: z.array(BaseAttributeContentDto).optional(),
    contentType: AttributeContentType,
    properties: DataAttributeProperties,
    constraints: z.array(BaseAttributeConstraintDto).optional(),
    attributeCallback: AttributeCallback.optional(),
  })
  .meta({ id: 'DataAttribute' });
export type DataAttribute = z.output<typeof DataAttribute>;

/** Text shown in a form. */
export const InfoAttribute = z
  .object({
    ...definition,
    type: z.literal('info'),
    content: z.array(BaseAttributeContentDto),
    contentType: AttributeContentType,
    properties: InfoAttributeProperties,
  })
  .meta({ id: 'InfoAttribute' });
export type InfoAttribute = z.output<typeof InfoAttribute>;

/** Metadata that a connector returns with its results. */
export const MetadataAttribute = z
  .object({
    ...definition,
    type: z.literal('meta'),
    content: z.array(BaseAttributeContentDto).optional(),
    contentType: AttributeContentType,
    properties: MetadataAttributeProperties,
  })
  .meta({ id: 'MetadataAttribute' });
export type MetadataAttribute = z.output<typeof MetadataAttribute>;

/** Organization-specific data, defined by an administrator. */
export const CustomAttribute = z
  .object({
    ...definition,
    type: z.literal('custom'),
    content: z.array(BaseAttributeContentDto).optional(),
    contentType: AttributeContentType,
    properties: CustomAttributeProperties,
  })
  .meta({ id: 'CustomAttribute' });
export type CustomAttribute = z.output<typeof CustomAttribute>;

/** Further attributes, which a callback fetches once the values that they depend on are known. */
export interface GroupAttribute {
  version: number;
  uuid: string;
  name: string;
  description?: string | undefined;
  type: 'group';
  content?: BaseAttributeDto[] | undefined;
  attributeCallback?: AttributeCallback | undefined;
}

/** A definition of any kind. */
export type BaseAttributeDto = DataAttribute | InfoAttribute | GroupAttribute | MetadataAttribute | CustomAttribute;

/** A definition as input: members with defaults can be omitted. */
export type BaseAttributeInput =
  | z.input<typeof DataAttribute>
  | z.input<typeof InfoAttribute>
  | z.input<typeof MetadataAttribute>
  | z.input<typeof CustomAttribute>
  | (Omit<GroupAttribute, 'version' | 'content'> & {
      version?: number | undefined;
      content?: BaseAttributeInput[] | undefined;
    });

export const GroupAttribute = z
  .object({
    ...definition,
    type: z.literal('group'),
    get content(): z.ZodOptional<z.ZodArray<z.ZodType<BaseAttributeDto, BaseAttributeInput>>> {
      return z.array(BaseAttributeDto).optional();
    },
    attributeCallback: AttributeCallback.optional(),
  })
  .meta({ id: 'GroupAttribute' });

/** Treats a definition with a missing or unknown kind as data, for connectors that do not send kinds. */
function withKnownKind(definition: unknown): unknown {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) return definition;
  const kind = 'type' in definition ? definition.type : undefined;
  return AttributeType.safeParse(kind).success ? definition : { ...definition, type: 'data' };
}

export const BaseAttributeDto: z.ZodType<BaseAttributeDto, BaseAttributeInput> = z
  .preprocess(
    withKnownKind,
    z.discriminatedUnion('type', [DataAttribute, InfoAttribute, GroupAttribute, MetadataAttribute, CustomAttribute]),
  )
  // Zod types the input of a preprocessed schema as unknown; senders must conform to the definitions, hence the cast.
  .meta({ id: 'BaseAttributeDto' }) as unknown as z.ZodType<BaseAttributeDto, BaseAttributeInput>;

// ---- values ----

/** Attribute value in a request. */
export const RequestAttributeDto = z
  .object({
    uuid: z.string(),
    name: z.string(),
    contentType: AttributeContentType,
    content: z.array(BaseAttributeContentDto),
  })
  .meta({ id: 'RequestAttributeDto' });
export type RequestAttributeDto = z.output<typeof RequestAttributeDto>;

const shownValue = {
  uuid: z.string().optional(),
  name: z.string(),
  label: z.string(),
  type: AttributeType,
  contentType: AttributeContentType,
  content: z.array(BaseAttributeContentDto).optional(),
};

/** Attribute value in a response. */
export const ResponseAttributeDto = z.object(shownValue).meta({ id: 'ResponseAttributeDto' });
export type ResponseAttributeDto = z.output<typeof ResponseAttributeDto>;

/** Metadata of an object, with the objects from which it was obtained. */
export const ResponseMetadataDto = z
  .object({ ...shownValue, sourceObjects: z.array(NameAndUuidDto) })
  .meta({ id: 'ResponseMetadataDto' });
export type ResponseMetadataDto = z.output<typeof ResponseMetadataDto>;

/** Metadata of an object from one connector and one type of source. */
export const MetadataResponseDto = z
  .object({
    connectorUuid: z.string().optional(),
    connectorName: z.string().optional(),
    sourceObjectType: Resource.optional(),
    items: z.array(ResponseMetadataDto),
  })
  .meta({ id: 'MetadataResponseDto' });
export type MetadataResponseDto = z.output<typeof MetadataResponseDto>;

/** Values that a caller passes to a callback; `name` is the attribute that declares the callback. */
export const RequestAttributeCallback = z
  .object({
    uuid: z.string().optional(),
    name: line(),
    pathVariable: z.record(z.string(), z.unknown()).optional(),
    requestParameter: z.record(z.string(), z.unknown()).optional(),
    body: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'RequestAttributeCallback' });
export type RequestAttributeCallback = z.output<typeof RequestAttributeCallback>;
