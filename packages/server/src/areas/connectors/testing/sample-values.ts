// Values for the sample calls. Every member is set, so that a member lost in transit is noticed.
import type {
  BaseAttributeDto,
  DataAttribute,
  FunctionGroupCode,
  functionGroupOperations,
  MetadataAttribute,
  Operation,
  OperationResponse,
  OperationRequest,
  RequestAttributeDto,
} from '@signetry/contract';

type Tables = typeof functionGroupOperations;

export interface SampleCall<Op extends Operation = Operation> {
  readonly request: OperationRequest<Op>;
  readonly answer: OperationResponse<Op>;
}

/** A call of every operation of a function group. */
export type SampleCalls<Code extends FunctionGroupCode> = {
  readonly [Name in keyof Tables[Code]]: SampleCall<Extract<Tables[Code][Name], Operation>>;
};

export const UUID = '0193f0a2-7c10-7000-8000-00000000000a';
export const OTHER_UUID = '0193f0a2-7c10-7000-8000-00000000000b';

export const values: RequestAttributeDto[] = [
  { uuid: UUID, name: 'data_host', contentType: 'string', content: [{ reference: 'The host', data: 'ca.example' }] },
  { uuid: OTHER_UUID, name: 'data_secret', contentType: 'secret', content: [{ data: { secret: 'hunter2' } }] },
];

export const dataAttribute: DataAttribute = {
  version: 2,
  uuid: UUID,
  name: 'data_port',
  description: 'Where the service listens',
  type: 'data',
  contentType: 'integer',
  content: [{ reference: 'LDAPS', data: 636 }],
  properties: {
    label: 'Port',
    visible: true,
    group: 'Connection',
    required: true,
    readOnly: false,
    list: true,
    multiSelect: false,
  },
  constraints: [{ type: 'range', description: 'A port', errorMessage: 'No port.', data: { from: 1, to: 65535 } }],
  attributeCallback: {
    callbackContext: '/v1/entityProvider/callbacks/{host}/ports',
    callbackMethod: 'GET',
    mappings: [
      {
        from: 'data_host.data',
        attributeType: 'data',
        attributeContentType: 'string',
        to: 'host',
        targets: ['pathVariable'],
      },
    ],
  },
};

export const metadata: MetadataAttribute[] = [
  {
    version: 2,
    uuid: OTHER_UUID,
    name: 'meta_alias',
    description: 'The entry of the key store',
    type: 'meta',
    contentType: 'string',
    content: [{ data: 'server' }],
    properties: { label: 'Alias', visible: true, group: 'Key store', global: false, overwrite: true },
  },
];

export const definitions: BaseAttributeDto[] = [
  dataAttribute,
  {
    version: 2,
    uuid: OTHER_UUID,
    name: 'group_options',
    description: 'What the choice leads to',
    type: 'group',
    attributeCallback: { callbackContext: '/v1/own/callbacks', callbackMethod: 'GET', mappings: [] },
  },
];

export const instance = { uuid: UUID, name: 'First', attributes: definitions };

/** The calls that every function group supports. */
export const attributeCalls = <const Code extends FunctionGroupCode>(functionalGroup: Code) =>
  ({
    listAttributeDefinitions: { request: { params: { functionalGroup, kind: 'Sample' } }, answer: definitions },
    validateAttributes: { request: { params: { functionalGroup, kind: 'Sample' }, body: values }, answer: undefined },
  }) as const;

/** Attribute calls for the objects in a path: the list of definitions, and the validation of values. */
export const definitionsOf = <const Params>(params: Params) => ({ request: { params }, answer: definitions }) as const;
export const checkOf = <const Params>(params: Params) =>
  ({ request: { params, body: values }, answer: undefined }) as const;
