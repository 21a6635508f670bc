// Declaration of the plain authority, as an author using another language would write it from the interface.
import { PLAIN_KIND } from './plain-forms.ts';

const V1 = '/v1/authorityProvider';
const V2 = '/v2/authorityProvider/authorities/{uuid}/certificates';

const endpoint = (name: string, method: string, context: string, required = true) => ({
  name,
  method,
  context,
  required,
});

export const plainInfo = [
  {
    functionGroupCode: 'authorityProvider',
    kinds: [PLAIN_KIND],
    endPoints: [
      // A feature, not an endpoint that is called.
      endpoint('idempotency', 'GET', '/v1/features/idempotency', false),
      endpoint('listAttributeDefinitions', 'GET', `${V1}/{kind}/attributes`),
      endpoint('validateAttributes', 'POST', `${V1}/{kind}/attributes/validate`),
      endpoint('listAuthorityInstances', 'GET', `${V1}/authorities`),
      endpoint('createAuthorityInstance', 'POST', `${V1}/authorities`),
      endpoint('getAuthorityInstance', 'GET', `${V1}/authorities/{uuid}`),
      endpoint('updateAuthorityInstance', 'POST', `${V1}/authorities/{uuid}`),
      endpoint('removeAuthorityInstance', 'DELETE', `${V1}/authorities/{uuid}`, false),
      endpoint('getConnection', 'GET', `${V1}/authorities/{uuid}/connect`, false),
      endpoint('listRAProfileAttributes', 'GET', `${V1}/authorities/{uuid}/raProfile/attributes`),
      endpoint('validateRAProfileAttributes', 'POST', `${V1}/authorities/{uuid}/raProfile/attributes/validate`, false),
      endpoint('getCaCertificates', 'POST', `${V1}/authorities/{uuid}/caCertificates`, false),
      endpoint('listIssueCertificateAttributes', 'GET', `${V2}/issue/attributes`),
      endpoint('validateIssueCertificateAttributes', 'POST', `${V2}/issue/attributes/validate`),
      endpoint('issueCertificate', 'POST', `${V2}/issue`),
      endpoint('renewCertificate', 'POST', `${V2}/renew`),
      endpoint('listRevokeCertificateAttributes', 'GET', `${V2}/revoke/attributes`),
      endpoint('validateRevokeCertificateAttributes', 'POST', `${V2}/revoke/attributes/validate`),
      endpoint('revokeCertificate', 'POST', `${V2}/revoke`),
      endpoint('identifyCertificate', 'POST', `${V2}/identify`, false),
    ],
  },
];
