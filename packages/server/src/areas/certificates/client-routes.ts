// Client operations of the interface: what applications ask for with the rights of an RA profile.
import { clientOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CertificateAccess } from './core/access.ts';
import { readRequest } from './core/read-request.ts';
import type { Issuing } from './issuing.ts';
import type { IssueAnswer } from './issuing/issue.ts';

type IssuingActs = Pick<
  Issuing,
  'issuance' | 'renewer' | 'revoker' | 'issueAttributes' | 'revokeAttributes' | 'usableProfile'
>;

export interface ClientRouteParts extends IssuingActs {
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
}: ClientRouteParts): readonly Route[] => {
  /** A certificate of another RA profile than that of the path may be hidden from the caller. */
  const visible = (params: { readonly certificateUuid: string }, context: RequestContext): Promise<void> =>
    assertVisible([params.certificateUuid], context);

  return routes(clientOperations, {
    listIssueCertificateAttributes: async ({ params }) => issueAttributes.definitions(await usableProfile(params)),
    validateIssueCertificateAttributes: async ({ params, body, context }) => {
      await issueAttributes.validate(await usableProfile(params), body, context);
      return undefined;
    },
    issueCertificate: async ({ params, body, context }) => {
      const { request, format, attributes, customAttributes } = body;
      return presentAnswer(
        await issuance.issue(
          { ...params, request: readRequest(request, format), attributes, customAttributes },
          context,
        ),
      );
    },
    issueRequestedCertificate: async ({ params, context }) => {
      await visible(params, context);
      return presentAnswer(await issuance.issueRequested(params, context));
    },
    renewCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      return presentAnswer(await renewer.renew({ ...params, request: optionalRequest(body) }, context));
    },
    rekeyCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      return presentAnswer(await renewer.rekey({ ...params, request: optionalRequest(body) }, context));
    },
    listRevokeCertificateAttributes: async ({ params }) => revokeAttributes.definitions(await usableProfile(params)),
    validateRevokeCertificateAttributes: async ({ params, body, context }) => {
      await revokeAttributes.validate(await usableProfile(params), body, context);
      return undefined;
    },
    revokeCertificate: async ({ params, body, context }) => {
      await visible(params, context);
      await revoker.revoke({ ...params, revocation: body }, context);
      return undefined;
    },
  });
};

const optionalRequest = ({ request, format }: { request?: string | undefined; format: 'pkcs10' | 'crmf' }) =>
  request ? readRequest(request, format) : undefined;

/** Clients poll while the data is empty. */
const presentAnswer = ({ uuid, der }: IssueAnswer) => ({
  uuid,
  certificateData: der ? Buffer.from(der).toString('base64') : '',
});
