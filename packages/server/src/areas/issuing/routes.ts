// Client operations of the interface, which applications perform with the permissions of an RA profile. They also
// include release from hold and manual settlement of an unknown outcome.
import {
  certificateHoldOperations,
  certificateSettlementOperations,
  clientOperations,
  type ClientCertificateRekeyRequestDto,
} from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { rejected } from '../../kernel/errors.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CertificateAccess, RequestFacts } from '../certificates/index.ts';
import type { Issuing } from './issuing.ts';
import type { IssueResponse } from './issuance/issue.ts';
import type { RequestBuilder } from './requesting/request-with-key.ts';

type IssuingOperations = Pick<
  Issuing,
  'issuance' | 'renewer' | 'revoker' | 'issueAttributes' | 'revokeAttributes' | 'usableProfile'
>;

export interface ClientRouteParts extends IssuingOperations {
  readonly requests: RequestBuilder;
  readonly assertVisible: CertificateAccess;
}

export const clientRoutes = ({
  issuance,
  renewer,
  revoker,
  issueAttributes,
  revokeAttributes,
  usableProfile,
  assertVisible,
  requests,
}: ClientRouteParts): readonly Route[] => {
  /** Checks access, because the certificate may be invisible to the caller or read-only. */
  const requireVisible = (
    params: { readonly certificateUuid: string },
    context: RequestContext,
    action: 'issue' | 'renew' | 'revoke',
  ): Promise<void> => assertVisible([params.certificateUuid], { context, action });

  /** Returns the submitted request, or generates a request with a different key for the certificate's names. */
  const requestForRekey =
    (body: ClientCertificateRekeyRequestDto, context: RequestContext) =>
    (predecessor: Uint8Array): Promise<RequestFacts> => {
      const { request = '', format, keyUuid } = body;
      if (request !== '') return requests.readSent(request, format);
      if (keyUuid === undefined)
        throw rejected('request: required for the new key, unless a key in a token is specified (keyUuid)');
      return requests.again(body, predecessor, context);
    };

  return routes(clientOperations, {
    listIssueCertificateAttributes: async ({ params }) => issueAttributes.definitions(await usableProfile(params)),
    validateIssueCertificateAttributes: async ({ params, body, context }) => {
      await issueAttributes.validate(await usableProfile(params), body, context);
      return undefined;
    },
    issueCertificate: async ({ params, body, context }) => {
      const { attributes, customAttributes } = body;
      const request = await requests.given(body, context);
      return presentResponse(await issuance.issue({ ...params, request, attributes, customAttributes }, context));
    },
    issueRequestedCertificate: async ({ params, context }) => {
      await requireVisible(params, context, 'issue');
      return presentResponse(await issuance.issueRequested(params, context));
    },
    renewCertificate: async ({ params, body, context }) => {
      await requireVisible(params, context, 'renew');
      const request = body.request ? await requests.readSent(body.request, body.format) : undefined;
      const { replaceInLocations } = body;
      return presentResponse(await renewer.renew({ ...params, request, replaceInLocations }, context));
    },
    rekeyCertificate: async ({ params, body, context }) => {
      await requireVisible(params, context, 'renew');
      const { replaceInLocations } = body;
      const request = requestForRekey(body, context);
      return presentResponse(await renewer.rekey({ ...params, request, replaceInLocations }, context));
    },
    listRevokeCertificateAttributes: async ({ params }) =>
      revokeAttributes.definitions(await usableProfile({ ...params, alsoInternal: true })),
    validateRevokeCertificateAttributes: async ({ params, body, context }) => {
      await revokeAttributes.validate(await usableProfile({ ...params, alsoInternal: true }), body, context);
      return undefined;
    },
    revokeCertificate: async ({ params, body, context }) => {
      await requireVisible(params, context, 'revoke');
      await revoker.revoke({ ...params, revocation: body }, context);
      return undefined;
    },
  });
};

/** Routes that extend the interface, which itself has only the reason certificateHold. */
export const holdRoutes = ({ revoker, assertVisible }: Pick<ClientRouteParts, 'revoker' | 'assertVisible'>) =>
  routes(certificateHoldOperations, {
    releaseCertificate: async ({ params, context }) => {
      await assertVisible([params.uuid], { context, action: 'revoke' });
      await revoker.release(params.uuid, context);
      return undefined;
    },
  });

export const settlementRoutes = ({
  declareNotIssued,
  assertVisible,
}: Pick<Issuing, 'declareNotIssued'> & Pick<ClientRouteParts, 'assertVisible'>) =>
  routes(certificateSettlementOperations, {
    declareCertificateNotIssued: async ({ params, body, context }) => {
      await assertVisible([params.uuid], { context, action: 'update' });
      await declareNotIssued(params.uuid, body, context);
    },
  });

/** Clients poll while the data is empty. */
const presentResponse = ({ uuid, der }: IssueResponse) => ({
  uuid,
  certificateData: der ? Buffer.from(der).toString('base64') : '',
});
