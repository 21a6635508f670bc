// Endpoints that the platform requires for each function group. Connectors declare them in their response to `GET /v1`.
// Each method and path is that of the operation with the same name. Identifiers are those in the published interface,
// so that records from other installations remain meaningful.
import type { FunctionGroupCode } from '../enums/connectors.ts';
import type { Operation } from '../operation.ts';
import { connectorBaseOperations } from './base-operations.ts';
import { functionGroupOperations } from './function-groups.ts';

export interface EndpointSpecification {
  readonly uuid?: string;
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly context: string;
  /** Connectors that do not declare a required endpoint are rejected. */
  readonly required: boolean;
}

export interface FunctionGroupSpecification {
  /** Absent for the group whose identifier each installation chooses. */
  readonly uuid?: string;
  readonly endpoints: readonly EndpointSpecification[];
}

/** An endpoint's identifier. If the published method or context differs from the operation's, it is also included. */
type Row =
  | string
  | undefined
  | { readonly uuid: string; readonly method?: EndpointSpecification['method']; readonly context: string };

type Rows = Readonly<Record<string, Row>>;

function group(
  code: FunctionGroupCode,
  uuid: string | undefined,
  { demanded, optional = {} }: { readonly demanded: Rows; readonly optional?: Rows },
): FunctionGroupSpecification {
  const operations: Readonly<Record<string, Operation>> = {
    ...connectorBaseOperations,
    ...functionGroupOperations[code],
  };
  const toSpecifications = (rows: Rows, required: boolean): EndpointSpecification[] =>
    Object.entries(rows).map(([name, row]) => {
      const published = typeof row === 'object' ? row : { uuid: row };
      const { method, path } = operations[name] ?? {};
      const endpoint = { method, context: path?.replace('{functionalGroup}', code), ...withoutUndefined(published) };
      // Rows without an operation specify both method and context.
      return { name, required, ...endpoint } as EndpointSpecification;
    });
  return {
    ...(uuid === undefined ? {} : { uuid }),
    endpoints: [...toSpecifications(demanded, true), ...toSpecifications(optional, false)],
  };
}

const withoutUndefined = ({ uuid, ...others }: { readonly uuid: string | undefined }) =>
  uuid === undefined ? others : { uuid, ...others };

export const functionGroupSpecifications: Readonly<Record<FunctionGroupCode, FunctionGroupSpecification>> = {
  credentialProvider: group('credentialProvider', 'e8ae0a8c-ed12-4f63-804f-2659ee9dff6e', {
    demanded: {
      listAttributeDefinitions: 'eb159884-f7ee-457e-918c-5f7f6e2f2597',
      validateAttributes: '45c825bb-5e3a-42f4-8808-9107d4966078',
    },
    optional: {
      listSupportedFunctions: '886eee93-8a82-4fa0-bee0-60eb4bed766f',
    },
  }),
  // Three contexts lack `authorityProvider`. They were published without it, and they are not required.
  legacyAuthorityProvider: group('legacyAuthorityProvider', '435ee47f-fd03-4c50-ae6f-ca60f4829023', {
    demanded: {
      listAuthorityInstances: 'cb1ae7eb-a97b-44bd-bf76-46ae96e32985',
      createAuthorityInstance: '6350c3bb-57ef-4416-964b-0254df28131e',
      getAuthorityInstance: '1692cec0-50aa-46a3-be7f-b32e6a752d2a',
      updateAuthorityInstance: '06f1f14f-328b-40f7-8f34-f168619e3a3a',
    },
    optional: {
      listSupportedFunctions: 'cf4af237-164e-4326-8a34-80c90d53b2d7',
      createEndEntity: {
        uuid: '5f61c054-0d68-44b1-b326-2ed28a2a55fa',
        context: '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities',
      },
      getEndEntity: {
        uuid: 'a8b1d647-6a8e-46fd-b4e1-844b30df4dcc',
        context: '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
      },
      updateEndEntity: {
        uuid: '57320a6d-3763-4a25-bdae-4a2a92a67487',
        context: '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
      },
      removeAuthorityInstance: 'b3592167-af2a-44b3-89d2-e4bfd000caa4',
      listEntityProfiles: 'e13b274b-bdbd-4b4d-a5fa-875f0a6594e9',
      listCAsInProfile: '4bef1a55-4725-48af-911e-9a051784c4c4',
      listCertificateProfiles: 'b2a2a828-598b-47dd-a1c5-ce877989153f',
      issueCertificate: 'a91dd6df-cd2c-46f4-af09-3693a167118d',
      revokeCertificate: '656e4414-d735-457f-ad43-f921c5af4507',
      listEndEntities: '5a78b374-3113-4310-a35d-45a8a2a04eca',
      removeEndEntity: 'e881624f-af84-41fd-aeb8-a90e342bb131',
      resetPassword: 'f2a6f043-3fb2-4f9d-9996-ce8cf68d2ad9',
      listAttributeDefinitions: {
        uuid: 'ca0595ad-36e5-4060-a19d-e80b8f7461fd',
        context: '/v1/authorityProvider/{kind}/attributes',
      },
      validateAttributes: {
        uuid: 'ca07a81d-724f-4304-8ffa-3cb405766301',
        context: '/v1/authorityProvider/{kind}/attributes/validate',
      },
    },
  }),
  authorityProvider: group('authorityProvider', '736b0fd6-5ea0-4e10-abe7-cfed39cc2a1a', {
    demanded: {
      listAuthorityInstances: 'e3521dd0-e150-4676-a79c-30a33e62889c',
      createAuthorityInstance: '9bf9cd3b-73de-4c1c-a712-7396e9dc78e5',
      getAuthorityInstance: '924ac89a-7376-4ac8-8c15-ecb7d9e8ca16',
      updateAuthorityInstance: '51c5b673-0e6e-4b8d-a31b-1b35835b4025',
      listRAProfileAttributes: 'e43155b6-51ad-46e0-a60c-176ee5e6dfea',
      listAttributeDefinitions: '072349d4-d1a0-4398-b4e5-88fba454d815',
      validateAttributes: '59070334-e550-466c-b538-bd8d2d9b06e5',
      issueCertificate: '065dbfba-63f9-4011-abe4-f2ca6d224521',
      listIssueCertificateAttributes: '0288132c-5d9c-4db8-97a1-7ef977b45b17',
      validateIssueCertificateAttributes: '355d306e-75f7-4b85-848b-58bddf95c582',
      renewCertificate: 'efdb9bcd-4f7c-473b-8704-77b12b3f6d33',
      revokeCertificate: 'd9e162ae-2d50-4e98-bc37-62d015c43199',
      listRevokeCertificateAttributes: '2dcc528b-9e16-46c6-877e-74eae258173f',
      validateRevokeCertificateAttributes: 'f28a2c14-1183-430d-a908-85bcfda56dab',
    },
    optional: {
      listSupportedFunctions: 'ecdf6214-a491-4a0f-9084-7b502a16315e',
      removeAuthorityInstance: 'f83d858a-d63b-48e7-b22c-fdb7f7e3d9b1',
    },
  }),
  discoveryProvider: group('discoveryProvider', 'a6c4042f-9465-4476-9528-1efd6caaf944', {
    demanded: {
      discoverCertificate: '784f8681-e3ea-4d8d-938a-ce315752cd80',
      listAttributeDefinitions: '8995b6ef-ea7c-417b-a298-f0a4a8a4f55c',
      validateAttributes: '61f1096e-5798-40cd-874b-de7b782f1d17',
    },
    optional: {
      listSupportedFunctions: 'eb8645ee-5def-4b77-8c66-f8c85da88132',
    },
  }),
  entityProvider: group('entityProvider', 'c703db4a-641e-4a6c-91fb-c73385331d4c', {
    demanded: {
      listEntityInstances: 'd9920198-c227-483b-94a0-1ed03a1d8127',
      createEntityInstance: '73a22d51-9592-4ca5-94f5-2080a95543ac',
      removeEntityInstance: '09ffac4c-610b-4da5-98c3-3666e031cde4',
      getEntityInstance: '92af82af-8ea2-4a80-b329-51c506c95ca1',
      updateEntityInstance: '7e6b5ed7-3ffa-4c51-82c8-9f636c61ddb9',
      listLocationAttributes: '1fd5e94e-9679-48dd-885c-51a7047efba9',
      validateLocationAttributes: '60cb531b-858f-4073-ab29-b175fa877731',
      getLocationDetail: '1d342f3e-d057-44e4-a97b-011ace5c1341',
      generateCsrLocation: '3aa64487-5618-4d40-8824-3c5c9aacb62d',
      listGenerateCsrAttributes: '447c4f7f-2144-4f7a-b944-5b23ef6a6122',
      validateGenerateCsrAttributes: '2cd9b012-104c-43aa-b133-36e6b5aa7ef5',
      pushCertificateToLocation: '5759565a-c931-4753-b75c-9140632e13dc',
      listPushCertificateAttributes: '9cb4ae2d-2ae9-4834-86ed-0d4c32bbf9f4',
      validatePushCertificateAttributes: 'a5d36436-12ee-4f31-83fd-14e31d0f9a15',
      removeCertificateFromLocation: '8c8768e6-1417-4bbc-8d3f-5169e1a7ee08',
    },
  }),
  complianceProvider: group('complianceProvider', '7bd77d90-f7d7-11ec-8fea-0242ac120002', {
    demanded: {
      checkCompliance: '7bd7811e-e7d7-11ec-8fea-0242ac120002',
      listGroups: '7bd77f34-e7d7-11ec-8fea-0242ac120002',
      listGroupDetails: '7bd78038-e7d7-11ec-8fea-0242ac120002',
      listRules: '7bd77d90-e7d7-11ec-8fea-0242ac120002',
    },
  }),
  complianceProviderV2: group('complianceProviderV2', undefined, {
    demanded: {
      checkCompliance: undefined,
      listGroups: undefined,
      getGroup: undefined,
      getGroupRules: undefined,
      listRules: undefined,
      getRulesBatch: undefined,
      getRule: undefined,
    },
  }),
  cryptographyProvider: group('cryptographyProvider', 'c2fece10-9896-11ed-a8fc-0242ac120002', {
    demanded: {
      getCreateTokenAttributes: '83f7b13c-9896-11ed-a8fc-0242ac120002',
      listTokenInstances: '83f7b344-9896-11ed-a8fc-0242ac120002',
      createTokenInstance: '83f79dfa-9896-11ed-a8fc-0242ac120002',
      removeTokenInstance: '83f7beac-9896-11ed-a8fc-0242ac120002',
      getTokenInstance: '83f7ad18-9896-11ed-a8fc-0242ac120002',
      updateTokenInstance: '83f7a1ec-9896-11ed-a8fc-0242ac120002',
      activateTokenInstance: '83f78ee6-9896-11ed-a8fc-0242ac120002',
      listTokenInstanceActivationAttributes: '83f7ac14-9896-11ed-a8fc-0242ac120002',
      validateTokenInstanceActivationAttributes: '83f79ba2-9896-11ed-a8fc-0242ac120002',
      deactivateTokenInstance: '83f7baa6-9896-11ed-a8fc-0242ac120002',
      listKeys: '83f792b0-9896-11ed-a8fc-0242ac120002',
      createKeyPair: '83f79a8a-9896-11ed-a8fc-0242ac120002',
      listCreateKeyPairAttributes: '83f79724-9896-11ed-a8fc-0242ac120002',
      validateCreateKeyPairAttributes: '83f7a80e-9896-11ed-a8fc-0242ac120002',
      randomData: '83f78db0-9896-11ed-a8fc-0242ac120002',
      listRandomAttributes: '83f79efe-9896-11ed-a8fc-0242ac120002',
      validateRandomAttributes: '83f7b43e-9896-11ed-a8fc-0242ac120002',
      createSecretKey: '83f7b240-9896-11ed-a8fc-0242ac120002',
      listCreateSecretKeyAttributes: '83f7bd9e-9896-11ed-a8fc-0242ac120002',
      validateCreateSecretKeyAttributes: '83f7a714-9896-11ed-a8fc-0242ac120002',
      destroyKey: '83f7b89e-9896-11ed-a8fc-0242ac120002',
      getKey: '83f79044-9896-11ed-a8fc-0242ac120002',
      decryptData: '83f7a0f2-9896-11ed-a8fc-0242ac120002',
      encryptData: '83f78a72-9896-11ed-a8fc-0242ac120002',
      signData: '83f7b6a0-9896-11ed-a8fc-0242ac120002',
      verifyData: '83f7b998-9896-11ed-a8fc-0242ac120002',
      getTokenInstanceStatus: '83f7a908-9896-11ed-a8fc-0242ac120002',
      listTokenProfileAttributes: '83f7af20-9896-11ed-a8fc-0242ac120002',
      validateTokenProfileAttributes: '83f7985a-9896-11ed-a8fc-0242ac120002',
      listAttributeDefinitions: '83f7a5f2-9896-11ed-a8fc-0242ac120002',
      validateAttributes: '83f7b7a4-9896-11ed-a8fc-0242ac120002',
    },
  }),
  notificationProvider: group('notificationProvider', '159fde5a-7438-44ed-97ad-028094ab083f', {
    demanded: {
      listNotificationInstances: '85b5e134-07ff-4ea2-a939-1f5936ec80ac',
      createNotificationInstance: '0a265bf3-f0f9-47ad-a1c6-5f50722f7ab5',
      removeNotificationInstance: 'e2a999e5-821a-4a66-922b-0da30251fb09',
      getNotificationInstance: 'c6a3e340-baf8-435d-88b9-4be7f628e4c7',
      updateNotificationInstance: 'e3578a7e-8f4d-4d4a-8b79-0589235b0e07',
      sendNotification: '59d58d7a-3a82-42b9-8cb1-fcc14ba27b94',
      listAttributeDefinitions: 'd1d809d1-2534-44e2-921e-7588c2855540',
      listMappingAttributes: '989f80bf-7223-4cf3-a1ee-336cc158cad0',
      validateAttributes: 'f9581e8f-70d7-4f09-9c7c-c47000719fef',
    },
    optional: {
      listSupportedFunctions: '995801fd-cef2-4470-9fc6-1e13d21bc72a',
      healthCheck: { uuid: '91fc5a07-f6b5-43f4-947b-7b2596305ee2', method: 'GET', context: '/v1/health' },
    },
  }),
};

/** Returns the endpoints that a function group requires and the connector did not declare. */
export function missingEndpoints(
  code: FunctionGroupCode,
  declared: readonly { readonly name: string; readonly method: string; readonly context: string }[],
): readonly EndpointSpecification[] {
  const known = new Set(declared.map(({ name, method, context }) => `${name} ${method.toUpperCase()} ${context}`));
  return functionGroupSpecifications[code].endpoints.filter(
    ({ name, method, context, required }) => required && !known.has(`${name} ${method} ${context}`),
  );
}
