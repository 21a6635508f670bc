// What a connector reports about a subordinate authority: the CSR for renewing its certificate, and the issuing
// authority at the same connector. Some connectors report neither.
import { authorityProviderOperations } from '@signetry/contract';
import { isAppError } from '../../kernel/errors.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuthorityAccess } from './authority-access.ts';
import { instanceOperations } from './instance-operations.ts';
import { findOfConnector } from './store.ts';

/** Info attribute that contains an authority's CSR in PEM. */
const CA_REQUEST = 'info_certificationRequest';

/** Maximum number of authorities whose certificates are requested to find the issuing one. */
const MAX_ASKED = 100;

export type Subordinates = ReturnType<typeof createSubordinates>;

export function createSubordinates({ database }: Pick<Platform, 'database'>, access: AuthorityAccess) {
  async function certificationRequest(uuid: string): Promise<string | undefined> {
    const { client, params } = await access.reach(uuid);
    const { attributes } = await client.call(instanceOperations.getAuthorityInstance, { params }, {});
    const attribute = attributes.find(({ name, type }) => name === CA_REQUEST && type === 'info');
    const [item] = attribute?.type === 'info' ? attribute.content : [];
    return item && 'data' in item && typeof item.data === 'string' ? item.data : undefined;
  }

  /** Finds the authority of the same connector that has this certificate. */
  async function findAuthorityWith(certificate: Uint8Array, below: string): Promise<string | undefined> {
    const { connectorUuid } = await access.find(below);
    if (connectorUuid === null) return undefined;
    const others = (await findOfConnector(database.executor, connectorUuid, MAX_ASKED)).filter(
      ({ uuid }) => uuid !== below,
    );
    const wanted = Buffer.from(certificate).toString('base64');
    for (const { uuid } of others) if ((await fetchIssuingCertificate(uuid)) === wanted) return uuid;
    return undefined;
  }

  /** Returns the certificate in Base64, or undefined if the connector does not provide it. */
  async function fetchIssuingCertificate(uuid: string): Promise<string | undefined> {
    try {
      const { client, params } = await access.reach(uuid);
      const body = { raProfileAttributes: [] };
      const answer = await client.call(authorityProviderOperations.getCaCertificates, { params, body }, {});
      return answer.certificates[0]?.certificateData;
    } catch (error) {
      if (isAppError(error)) return undefined;
      throw error;
    }
  }

  return { certificationRequest, findAuthorityWith };
}
