// Client operations of the interface: what applications ask for with the rights of an RA profile.
import { clientOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import { requirePermission } from '../identity/index.ts';
import type { CallAttributes } from './call-attributes.ts';
import type { CertificateIssuer, IssueAnswer } from './issue-certificate.ts';
import { readRequest } from './read-request.ts';
import type { CertificateRenewer } from './renew-certificate.ts';
import type { CertificateRevoker } from './revoke-certificate.ts';

export interface ClientRouteParts {
  readonly issuer: CertificateIssuer;
  readonly renewer: CertificateRenewer;
  readonly revoker: CertificateRevoker;
  readonly issueAttributes: CallAttributes;
  readonly revokeAttributes: CallAttributes;
}

export const clientRoutes = ({
  issuer,
  renewer,
  revoker,
  issueAttributes,
  revokeAttributes,
}: ClientRouteParts): readonly Route[] =>
  routes(clientOperations, {
    listIssueCertificateAttributes: async ({ params }) =>
      issueAttributes.definitions(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid)),
    validateIssueCertificateAttributes: async ({ params, body }) => {
      await issueAttributes.validate(await issuer.usableProfile(params.authorityUuid, params.raProfileUuid), body);
      return undefined;
    },
    issueCertificate: async ({ params, body, context }) => {
      mayCertify(context, 'issue');
      const { request, format, attributes, customAttributes } = body;
      return presentAnswer(
        await issuer.issue({ ...params, request: readRequest(request, format), attributes, customAttributes }, context),
      );
    },
    issueRequestedCertificate: async ({ params, context }) => {
      mayCertify(context, 'issue');
      return presentAnswer(await issuer.issueRequested(params, context));
    },
    renewCertificate: async ({ params, body, context }) => {
      mayCertify(context, 'renew');
      return presentAnswer(
        await renewer.renew(
          { ...params, request: body.request ? readRequest(body.request, body.format) : undefined },
          context,
        ),
      );
    },
    rekeyCertificate: async ({ params, body, context }) => {
      mayCertify(context, 'renew');
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
      mayCertify(context, 'revoke');
      await revoker.revoke({ ...params, revocation: body }, context);
      return undefined;
    },
  });

/** The operation itself asks for the RA profile; what is done to certificates is a right of its own. */
function mayCertify(context: RequestContext, action: 'issue' | 'renew' | 'revoke'): void {
  requirePermission(context, { resource: 'certificates', action });
}

/** Clients poll while the data is empty. */
const presentAnswer = ({ uuid, der }: IssueAnswer) => ({
  uuid,
  certificateData: der ? Buffer.from(der).toString('base64') : '',
});
