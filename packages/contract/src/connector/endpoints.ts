// The endpoints that the platform requires of each function group: a connector declares them in its answer to `GET
// /v1`. Identifiers are those of the published interface, so that records of other installations keep their meaning. A
// table, therefore long.
import type { FunctionGroupCode } from '../enums/connectors.ts';

export interface EndpointSpecification {
  readonly uuid?: string;
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly context: string;
  /** A connector that does not declare it is refused. */
  readonly required: boolean;
}

export interface FunctionGroupSpecification {
  /** Absent for the group whose identifier each installation chooses. */
  readonly uuid?: string;
  readonly endpoints: readonly EndpointSpecification[];
}

type Row = readonly [name: string, method: EndpointSpecification['method'], context: string, uuid?: string];

const specify =
  (required: boolean) =>
  ([name, method, context, uuid]: Row): EndpointSpecification => ({
    name,
    method,
    context,
    required,
    ...(uuid === undefined ? {} : { uuid }),
  });

const group = (
  uuid: string | undefined,
  endpoints: { demanded: readonly Row[]; optional?: readonly Row[] },
): FunctionGroupSpecification => ({
  ...(uuid === undefined ? {} : { uuid }),
  endpoints: [...endpoints.demanded.map(specify(true)), ...(endpoints.optional ?? []).map(specify(false))],
});

export const functionGroupSpecifications: Readonly<Record<FunctionGroupCode, FunctionGroupSpecification>> = {
  credentialProvider: group('e8ae0a8c-ed12-4f63-804f-2659ee9dff6e', {
    demanded: [
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/credentialProvider/{kind}/attributes',
        'eb159884-f7ee-457e-918c-5f7f6e2f2597',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/credentialProvider/{kind}/attributes/validate',
        '45c825bb-5e3a-42f4-8808-9107d4966078',
      ],
    ],
    optional: [['listSupportedFunctions', 'GET', '/v1', '886eee93-8a82-4fa0-bee0-60eb4bed766f']],
  }),
  // Three contexts lack `authorityProvider`: published that way, and not required.
  legacyAuthorityProvider: group('435ee47f-fd03-4c50-ae6f-ca60f4829023', {
    demanded: [
      ['listAuthorityInstances', 'GET', '/v1/authorityProvider/authorities', 'cb1ae7eb-a97b-44bd-bf76-46ae96e32985'],
      ['createAuthorityInstance', 'POST', '/v1/authorityProvider/authorities', '6350c3bb-57ef-4416-964b-0254df28131e'],
      [
        'getAuthorityInstance',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}',
        '1692cec0-50aa-46a3-be7f-b32e6a752d2a',
      ],
      [
        'updateAuthorityInstance',
        'POST',
        '/v1/authorityProvider/authorities/{uuid}',
        '06f1f14f-328b-40f7-8f34-f168619e3a3a',
      ],
    ],
    optional: [
      ['listSupportedFunctions', 'GET', '/v1', 'cf4af237-164e-4326-8a34-80c90d53b2d7'],
      [
        'createEndEntity',
        'POST',
        '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities',
        '5f61c054-0d68-44b1-b326-2ed28a2a55fa',
      ],
      [
        'getEndEntity',
        'GET',
        '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
        'a8b1d647-6a8e-46fd-b4e1-844b30df4dcc',
      ],
      [
        'updateEndEntity',
        'POST',
        '/v1/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
        '57320a6d-3763-4a25-bdae-4a2a92a67487',
      ],
      [
        'removeAuthorityInstance',
        'DELETE',
        '/v1/authorityProvider/authorities/{uuid}',
        'b3592167-af2a-44b3-89d2-e4bfd000caa4',
      ],
      [
        'listEntityProfiles',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles',
        'e13b274b-bdbd-4b4d-a5fa-875f0a6594e9',
      ],
      [
        'listCAsInProfile',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/cas',
        '4bef1a55-4725-48af-911e-9a051784c4c4',
      ],
      [
        'listCertificateProfiles',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileId}/certificateprofiles',
        'b2a2a828-598b-47dd-a1c5-ce877989153f',
      ],
      [
        'issueCertificate',
        'POST',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/certificates/issue',
        'a91dd6df-cd2c-46f4-af09-3693a167118d',
      ],
      [
        'revokeCertificate',
        'POST',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/certificates/revoke',
        '656e4414-d735-457f-ad43-f921c5af4507',
      ],
      [
        'listEndEntities',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities',
        '5a78b374-3113-4310-a35d-45a8a2a04eca',
      ],
      [
        'removeEndEntity',
        'DELETE',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}',
        'e881624f-af84-41fd-aeb8-a90e342bb131',
      ],
      [
        'resetPassword',
        'PUT',
        '/v1/authorityProvider/authorities/{uuid}/endEntityProfiles/{endEntityProfileName}/endEntities/{endEntityName}/resetPassword',
        'f2a6f043-3fb2-4f9d-9996-ce8cf68d2ad9',
      ],
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/authorityProvider/{kind}/attributes',
        'ca0595ad-36e5-4060-a19d-e80b8f7461fd',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/authorityProvider/{kind}/attributes/validate',
        'ca07a81d-724f-4304-8ffa-3cb405766301',
      ],
    ],
  }),
  authorityProvider: group('736b0fd6-5ea0-4e10-abe7-cfed39cc2a1a', {
    demanded: [
      ['listAuthorityInstances', 'GET', '/v1/authorityProvider/authorities', 'e3521dd0-e150-4676-a79c-30a33e62889c'],
      ['createAuthorityInstance', 'POST', '/v1/authorityProvider/authorities', '9bf9cd3b-73de-4c1c-a712-7396e9dc78e5'],
      [
        'getAuthorityInstance',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}',
        '924ac89a-7376-4ac8-8c15-ecb7d9e8ca16',
      ],
      [
        'updateAuthorityInstance',
        'POST',
        '/v1/authorityProvider/authorities/{uuid}',
        '51c5b673-0e6e-4b8d-a31b-1b35835b4025',
      ],
      [
        'listRAProfileAttributes',
        'GET',
        '/v1/authorityProvider/authorities/{uuid}/raProfile/attributes',
        'e43155b6-51ad-46e0-a60c-176ee5e6dfea',
      ],
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/authorityProvider/{kind}/attributes',
        '072349d4-d1a0-4398-b4e5-88fba454d815',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/authorityProvider/{kind}/attributes/validate',
        '59070334-e550-466c-b538-bd8d2d9b06e5',
      ],
      [
        'issueCertificate',
        'POST',
        '/v2/authorityProvider/authorities/{uuid}/certificates/issue',
        '065dbfba-63f9-4011-abe4-f2ca6d224521',
      ],
      [
        'listIssueCertificateAttributes',
        'GET',
        '/v2/authorityProvider/authorities/{uuid}/certificates/issue/attributes',
        '0288132c-5d9c-4db8-97a1-7ef977b45b17',
      ],
      [
        'validateIssueCertificateAttributes',
        'POST',
        '/v2/authorityProvider/authorities/{uuid}/certificates/issue/attributes/validate',
        '355d306e-75f7-4b85-848b-58bddf95c582',
      ],
      [
        'renewCertificate',
        'POST',
        '/v2/authorityProvider/authorities/{uuid}/certificates/renew',
        'efdb9bcd-4f7c-473b-8704-77b12b3f6d33',
      ],
      [
        'revokeCertificate',
        'POST',
        '/v2/authorityProvider/authorities/{uuid}/certificates/revoke',
        'd9e162ae-2d50-4e98-bc37-62d015c43199',
      ],
      [
        'listRevokeCertificateAttributes',
        'GET',
        '/v2/authorityProvider/authorities/{uuid}/certificates/revoke/attributes',
        '2dcc528b-9e16-46c6-877e-74eae258173f',
      ],
      [
        'validateRevokeCertificateAttributes',
        'POST',
        '/v2/authorityProvider/authorities/{uuid}/certificates/revoke/attributes/validate',
        'f28a2c14-1183-430d-a908-85bcfda56dab',
      ],
    ],
    optional: [
      ['listSupportedFunctions', 'GET', '/v1', 'ecdf6214-a491-4a0f-9084-7b502a16315e'],
      [
        'removeAuthorityInstance',
        'DELETE',
        '/v1/authorityProvider/authorities/{uuid}',
        'f83d858a-d63b-48e7-b22c-fdb7f7e3d9b1',
      ],
    ],
  }),
  discoveryProvider: group('a6c4042f-9465-4476-9528-1efd6caaf944', {
    demanded: [
      ['discoverCertificate', 'POST', '/v1/discoveryProvider/discover', '784f8681-e3ea-4d8d-938a-ce315752cd80'],
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/discoveryProvider/{kind}/attributes',
        '8995b6ef-ea7c-417b-a298-f0a4a8a4f55c',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/discoveryProvider/{kind}/attributes/validate',
        '61f1096e-5798-40cd-874b-de7b782f1d17',
      ],
    ],
    optional: [['listSupportedFunctions', 'GET', '/v1', 'eb8645ee-5def-4b77-8c66-f8c85da88132']],
  }),
  entityProvider: group('c703db4a-641e-4a6c-91fb-c73385331d4c', {
    demanded: [
      ['listEntityInstances', 'GET', '/v1/entityProvider/entities', 'd9920198-c227-483b-94a0-1ed03a1d8127'],
      ['createEntityInstance', 'POST', '/v1/entityProvider/entities', '73a22d51-9592-4ca5-94f5-2080a95543ac'],
      [
        'removeEntityInstance',
        'DELETE',
        '/v1/entityProvider/entities/{entityUuid}',
        '09ffac4c-610b-4da5-98c3-3666e031cde4',
      ],
      ['getEntityInstance', 'GET', '/v1/entityProvider/entities/{entityUuid}', '92af82af-8ea2-4a80-b329-51c506c95ca1'],
      [
        'updateEntityInstance',
        'PUT',
        '/v1/entityProvider/entities/{entityUuid}',
        '7e6b5ed7-3ffa-4c51-82c8-9f636c61ddb9',
      ],
      [
        'listLocationAttributes',
        'GET',
        '/v1/entityProvider/entities/{entityUuid}/location/attributes',
        '1fd5e94e-9679-48dd-885c-51a7047efba9',
      ],
      [
        'validateLocationAttributes',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/location/attributes/validate',
        '60cb531b-858f-4073-ab29-b175fa877731',
      ],
      [
        'getLocationDetail',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations',
        '1d342f3e-d057-44e4-a97b-011ace5c1341',
      ],
      [
        'generateCsrLocation',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations/csr',
        '3aa64487-5618-4d40-8824-3c5c9aacb62d',
      ],
      [
        'listGenerateCsrAttributes',
        'GET',
        '/v1/entityProvider/entities/{entityUuid}/locations/csr/attributes',
        '447c4f7f-2144-4f7a-b944-5b23ef6a6122',
      ],
      [
        'validateGenerateCsrAttributes',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations/csr/attributes/validate',
        '2cd9b012-104c-43aa-b133-36e6b5aa7ef5',
      ],
      [
        'pushCertificateToLocation',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations/push',
        '5759565a-c931-4753-b75c-9140632e13dc',
      ],
      [
        'listPushCertificateAttributes',
        'GET',
        '/v1/entityProvider/entities/{entityUuid}/locations/push/attributes',
        '9cb4ae2d-2ae9-4834-86ed-0d4c32bbf9f4',
      ],
      [
        'validatePushCertificateAttributes',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations/push/attributes/validate',
        'a5d36436-12ee-4f31-83fd-14e31d0f9a15',
      ],
      [
        'removeCertificateFromLocation',
        'POST',
        '/v1/entityProvider/entities/{entityUuid}/locations/remove',
        '8c8768e6-1417-4bbc-8d3f-5169e1a7ee08',
      ],
    ],
  }),
  complianceProvider: group('7bd77d90-f7d7-11ec-8fea-0242ac120002', {
    demanded: [
      ['checkCompliance', 'POST', '/v1/complianceProvider/{kind}/compliance', '7bd7811e-e7d7-11ec-8fea-0242ac120002'],
      ['listGroups', 'GET', '/v1/complianceProvider/{kind}/groups', '7bd77f34-e7d7-11ec-8fea-0242ac120002'],
      [
        'listGroupDetails',
        'GET',
        '/v1/complianceProvider/{kind}/groups/{uuid}',
        '7bd78038-e7d7-11ec-8fea-0242ac120002',
      ],
      ['listRules', 'GET', '/v1/complianceProvider/{kind}/rules', '7bd77d90-e7d7-11ec-8fea-0242ac120002'],
    ],
  }),
  complianceProviderV2: group(undefined, {
    demanded: [
      ['checkCompliance', 'POST', '/v2/complianceProvider/{kind}/compliance'],
      ['listGroups', 'GET', '/v2/complianceProvider/{kind}/groups'],
      ['getGroup', 'GET', '/v2/complianceProvider/{kind}/groups/{groupUuid}'],
      ['getGroupRules', 'GET', '/v2/complianceProvider/{kind}/groups/{groupUuid}/rules'],
      ['listRules', 'GET', '/v2/complianceProvider/{kind}/rules'],
      ['getRulesBatch', 'POST', '/v2/complianceProvider/{kind}/rules'],
      ['getRule', 'GET', '/v2/complianceProvider/{kind}/rules/{ruleUuid}'],
    ],
  }),
  // getCreateTokenAttributes is the callback of one product; required nevertheless, because published that way.
  cryptographyProvider: group('c2fece10-9896-11ed-a8fc-0242ac120002', {
    demanded: [
      [
        'getCreateTokenAttributes',
        'GET',
        '/v1/cryptographyProvider/callbacks/token/{option}/attributes',
        '83f7b13c-9896-11ed-a8fc-0242ac120002',
      ],
      ['listTokenInstances', 'GET', '/v1/cryptographyProvider/tokens', '83f7b344-9896-11ed-a8fc-0242ac120002'],
      ['createTokenInstance', 'POST', '/v1/cryptographyProvider/tokens', '83f79dfa-9896-11ed-a8fc-0242ac120002'],
      [
        'removeTokenInstance',
        'DELETE',
        '/v1/cryptographyProvider/tokens/{uuid}',
        '83f7beac-9896-11ed-a8fc-0242ac120002',
      ],
      ['getTokenInstance', 'GET', '/v1/cryptographyProvider/tokens/{uuid}', '83f7ad18-9896-11ed-a8fc-0242ac120002'],
      ['updateTokenInstance', 'POST', '/v1/cryptographyProvider/tokens/{uuid}', '83f7a1ec-9896-11ed-a8fc-0242ac120002'],
      [
        'activateTokenInstance',
        'PATCH',
        '/v1/cryptographyProvider/tokens/{uuid}/activate',
        '83f78ee6-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listTokenInstanceActivationAttributes',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/activate/attributes',
        '83f7ac14-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateTokenInstanceActivationAttributes',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/activate/attributes/validate',
        '83f79ba2-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'deactivateTokenInstance',
        'PATCH',
        '/v1/cryptographyProvider/tokens/{uuid}/deactivate',
        '83f7baa6-9896-11ed-a8fc-0242ac120002',
      ],
      ['listKeys', 'GET', '/v1/cryptographyProvider/tokens/{uuid}/keys', '83f792b0-9896-11ed-a8fc-0242ac120002'],
      [
        'createKeyPair',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/pair',
        '83f79a8a-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listCreateKeyPairAttributes',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/pair/attributes',
        '83f79724-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateCreateKeyPairAttributes',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/pair/attributes/validate',
        '83f7a80e-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'randomData',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/random',
        '83f78db0-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listRandomAttributes',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/random/attributes',
        '83f79efe-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateRandomAttributes',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/random/attributes/validate',
        '83f7b43e-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'createSecretKey',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/secret',
        '83f7b240-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listCreateSecretKeyAttributes',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/secret/attributes',
        '83f7bd9e-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateCreateSecretKeyAttributes',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/secret/attributes/validate',
        '83f7a714-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'destroyKey',
        'DELETE',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}',
        '83f7b89e-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'getKey',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}',
        '83f79044-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'decryptData',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/decrypt',
        '83f7a0f2-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'encryptData',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/encrypt',
        '83f78a72-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'signData',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/sign',
        '83f7b6a0-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'verifyData',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/keys/{keyUuid}/verify',
        '83f7b998-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'getTokenInstanceStatus',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/status',
        '83f7a908-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listTokenProfileAttributes',
        'GET',
        '/v1/cryptographyProvider/tokens/{uuid}/tokenProfile/attributes',
        '83f7af20-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateTokenProfileAttributes',
        'POST',
        '/v1/cryptographyProvider/tokens/{uuid}/tokenProfile/attributes/validate',
        '83f7985a-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/cryptographyProvider/{kind}/attributes',
        '83f7a5f2-9896-11ed-a8fc-0242ac120002',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/cryptographyProvider/{kind}/attributes/validate',
        '83f7b7a4-9896-11ed-a8fc-0242ac120002',
      ],
    ],
  }),
  notificationProvider: group('159fde5a-7438-44ed-97ad-028094ab083f', {
    demanded: [
      [
        'listNotificationInstances',
        'GET',
        '/v1/notificationProvider/notifications',
        '85b5e134-07ff-4ea2-a939-1f5936ec80ac',
      ],
      [
        'createNotificationInstance',
        'POST',
        '/v1/notificationProvider/notifications',
        '0a265bf3-f0f9-47ad-a1c6-5f50722f7ab5',
      ],
      [
        'removeNotificationInstance',
        'DELETE',
        '/v1/notificationProvider/notifications/{uuid}',
        'e2a999e5-821a-4a66-922b-0da30251fb09',
      ],
      [
        'getNotificationInstance',
        'GET',
        '/v1/notificationProvider/notifications/{uuid}',
        'c6a3e340-baf8-435d-88b9-4be7f628e4c7',
      ],
      [
        'updateNotificationInstance',
        'PUT',
        '/v1/notificationProvider/notifications/{uuid}',
        'e3578a7e-8f4d-4d4a-8b79-0589235b0e07',
      ],
      [
        'sendNotification',
        'POST',
        '/v1/notificationProvider/notifications/{uuid}/notify',
        '59d58d7a-3a82-42b9-8cb1-fcc14ba27b94',
      ],
      [
        'listAttributeDefinitions',
        'GET',
        '/v1/notificationProvider/{kind}/attributes',
        'd1d809d1-2534-44e2-921e-7588c2855540',
      ],
      [
        'listMappingAttributes',
        'GET',
        '/v1/notificationProvider/{kind}/attributes/mapping',
        '989f80bf-7223-4cf3-a1ee-336cc158cad0',
      ],
      [
        'validateAttributes',
        'POST',
        '/v1/notificationProvider/{kind}/attributes/validate',
        'f9581e8f-70d7-4f09-9c7c-c47000719fef',
      ],
    ],
    optional: [
      ['listSupportedFunctions', 'GET', '/v1', '995801fd-cef2-4470-9fc6-1e13d21bc72a'],
      ['healthCheck', 'GET', '/v1/health', '91fc5a07-f6b5-43f4-947b-7b2596305ee2'],
    ],
  }),
};

/** The endpoints that a function group demands and that are not among those that a connector declared. */
export function lackedEndpoints(
  code: FunctionGroupCode,
  declared: readonly { readonly name: string; readonly method: string; readonly context: string }[],
): readonly EndpointSpecification[] {
  const known = new Set(declared.map(({ name, method, context }) => `${name} ${method.toUpperCase()} ${context}`));
  return functionGroupSpecifications[code].endpoints.filter(
    ({ name, method, context, required }) => required && !known.has(`${name} ${method} ${context}`),
  );
}
