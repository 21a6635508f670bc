// Client operations of the interface: what applications ask for with the rights of an RA profile.
import { clientOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CallAttributes } from './operations/call-attributes.ts';
import type { CertificateAccess } from './core/access.ts';
import type { CertificateIssuer, IssueAnswer } from './issuing/issue.ts';
import { readRequest } from './core/read-request.ts';
import type { CertificateRenewer } from './issuing/renew.ts';
import type { CertificateRevoker } from './revoking/revoke.ts';

export interface ClientRouteParts {
  readonly issuer: CertificateIssuer;
  readonly renewer: CertificateRenewer;
  readonly revoker: CertificateRevoker;
  readonly issueAttributes: CallAttributes;
  readonly revokeAttributes: CallAttributes;
  readonly assertVisible: CertificateAccess;
}

export const clientRoutes = ({
  issuer,
  renewer,
  revoker,
  issueAttributes,
  revokeAttributes,
  assertVisible,
}: ClientRouteParts): readonly Route[] => {
  /** A certificate of another RA profile than that of the path may be hidden from the caller. */
  const visible = (params: { readonly certificateUuid: string }, context: RequestContext): Promise<void> =>
    assertVisible([params.certificateUuid], context);

  return routes(clientOperations, {
    listIssueCertificateAttributes: async ({ params }) =>
      issueAttributes.definitions(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid)),
    validateIssueCertificateAttributes: async ({ params, body }) => {
      await issueAttributes.validate(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid), body);
      return undefined;
    },
    issueCertificate: async ({ params, body, context }) => {
      const { request, format, attributes, customAttributes } = body;
      return presentAnswer(
        await issuer.issue({ ...params, request: readRequest(request, format), attributes, customAttributes }, context),
      );
    },
    issueRequestedCertificate: async ({ params, context }) => {
      await visible(params, context);
      return presentAnswer(await issuer.issueRequested(params, context));
    },
    renewCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      return presentAnswer(
        await renewer.renew(
          { ...params, request: body.request ? readRequest(body.request, body.format) : undefined },
          context,
        ),
      );
    },
    rekeyCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      return presentAnswer(
        await renewer.rekey(
          { ...params, request: body.request ? readRequest(body.request, body.format) : undefined },
          context,
        ),
      );
    },
    listRevokeCertificateAttributes: async ({ params }) =>
      revokeAttributes.definitions(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid)),
    validateRevokeCertificateAttributes: async ({ params, body }) => {
      await revokeAttributes.validate(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid), body);
      return undefined;
    },
    revokeCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      await revoker.revoke({ ...params, revocation: body }, context);
      return undefined;
    },
  });
};

/** Clients poll while the data is empty. */
const presentAnswer = ({ uuid, der }: IssueAnswer) => ({
  uuid,
  certificateData: der ? Buffer.from(der).toString('base64') : '',
});
