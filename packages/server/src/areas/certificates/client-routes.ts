// Client operations of the interface: what applications ask for with the rights of an RA profile.
import { clientOperations } from '@signetry/contract';
import type { RequestContext } from '../../kernel/actor.ts';
import { routes, type Route } from '../../platform/http/routes.ts';
import type { CertificateAccess } from './core/access.ts';
import type { NameSource } from './core/ports.ts';
import { readRequest, type RequestFacts } from './core/read-request.ts';
import type { Issuing } from './issuing.ts';
import type { IssueAnswer } from './issuing/issue.ts';

type IssuingActs = Pick<
  Issuing,
  'issuance' | 'renewer' | 'revoker' | 'issueAttributes' | 'revokeAttributes' | 'usableProfile'
>;

export interface ClientRouteParts extends IssuingActs {
  readonly names: NameSource;
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
  names,
}: ClientRouteParts): readonly Route[] => {
  /** The certificate may be hidden from the caller, or only to be looked at. */
  const visible = (
    params: { readonly certificateUuid: string },
    context: RequestContext,
    action: 'issue' | 'renew' | 'revoke',
  ): Promise<void> => assertVisible([params.certificateUuid], { context, action });

  const read = async ({ request, format }: GivenRequest & { readonly request: string }): Promise<RequestFacts> =>
    readRequest(request, format, (await names()).codes);
  const readOptional = ({ request, format }: GivenRequest): Promise<RequestFacts> | undefined =>
    request ? read({ request, format }) : undefined;

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
          { ...params, request: await read({ request, format }), attributes, customAttributes },
          context,
        ),
      );
    },
    issueRequestedCertificate: async ({ params, context }) => {
      await visible(params, context, 'issue');
      return presentAnswer(await issuance.issueRequested(params, context));
    },
    renewCertificate: async ({ params, body, context }) => {
      await visible(params, context, 'renew');
      return presentAnswer(await renewer.renew({ ...params, request: await readOptional(body) }, context));
    },
    rekeyCertificate: async ({ params, body, context }) => {
      await visible(params, context, 'renew');
      return presentAnswer(await renewer.rekey({ ...params, request: await readOptional(body) }, context));
    },
    listRevokeCertificateAttributes: async ({ params }) => revokeAttributes.definitions(await usableProfile(params)),
    validateRevokeCertificateAttributes: async ({ params, body, context }) => {
      await revokeAttributes.validate(await usableProfile(params), body, context);
      return undefined;
    },
    revokeCertificate: async ({ params, body, context }) => {
      await visible(params, context, 'revoke');
      await revoker.revoke({ ...params, revocation: body }, context);
      return undefined;
    },
  });
};

interface GivenRequest {
  readonly request?: string | undefined;
  readonly format: 'pkcs10' | 'crmf';
}

/** Clients poll while the data is empty. */
const presentAnswer = ({ uuid, der }: IssueAnswer) => ({
  uuid,
  certificateData: der ? Buffer.from(der).toString('base64') : '',
});
