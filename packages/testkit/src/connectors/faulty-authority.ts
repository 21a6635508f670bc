// The plain authority with one fault at a time, of the kind that connector authors introduce.
import { randomUUID } from 'node:crypto';
import { createExternalAuthority } from '@signetry/connector-conformance';
import { readCertificationRequest } from '@signetry/pki';
import type { PlainResponse, PlainCall, PlainFilter } from './plain-authority.ts';

export interface PlantedFault {
  readonly filter: PlainFilter;
  /** Check that must find the fault. */
  readonly foundBy: string;
}

/** Changes the response body of some calls. */
const changeResponse =
  (isMeant: (call: PlainCall) => boolean, change: (body: never, call: PlainCall) => unknown): PlainFilter =>
  async (call, answer) => {
    const given = await answer(call);
    // the change expects the body of the calls that it is meant for
    return isMeant(call) && given.status < 300 ? { ...given, body: await change(given.body as never, call) } : given;
  };

/** Responds to some calls without calling the authority. */
const respondDirectly =
  (isMeant: (call: PlainCall) => boolean, given: PlainResponse): PlainFilter =>
  async (call, answer) =>
    isMeant(call) ? given : answer(call);

/** Replaces responses with this status. */
const replaceStatus =
  (status: number, given: (answer: PlainResponse) => PlainResponse): PlainFilter =>
  async (call, answer) => {
    const first = await answer(call);
    return first.status === status ? given(first) : first;
  };

const is =
  (method: string, end: string) =>
  (call: PlainCall): boolean =>
    call.method === method && call.path.endsWith(end);
const isForm = is('GET', '/PlainCA/attributes');
const isIssue = is('POST', '/certificates/issue');
const isSingleAuthority = (call: PlainCall): boolean => /authorities\/[0-9a-f-]{36}$/.test(call.path);

type Definition = Record<string, unknown> & { readonly name: string; readonly properties?: object };

/** Changes one definition in the form. */
const definition = (name: string, change: (found: Definition) => Definition): PlainFilter =>
  changeResponse(isForm, (body: readonly Definition[]) =>
    body.map((each) => (each.name === name ? change(each) : each)),
  );

const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');

/** Returns a certificate that a different CA issues for the request. */
async function issueByOtherCa(call: PlainCall, facts: object = {}): Promise<string> {
  const csr = readCertificationRequest((call.body as { request: string }).request); // an issuance call
  const other = await createExternalAuthority('CN=Foreign CA');
  return base64(other.issue({ subject: csr.subject, spki: csr.publicKey.spki, ...facts }));
}

/** Repeats the first response to a request for all later ones. */
function repeatFirstResponse(): PlainFilter {
  const known = new Map<string, PlainResponse>();
  return async (call, answer) => {
    if (!isIssue(call)) return answer(call);
    const { request } = call.body as { request: string }; // an issuance call
    const given = known.get(request) ?? (await answer(call));
    known.set(request, given);
    return given;
  };
}

/** Base64 length. A CSR with SANs is longer; input that is not a CSR is much shorter. */
const SHORT_REQUEST = 330;

const DEFINED = 'returns authority attribute definitions';

export const faults: Readonly<Record<string, PlantedFault>> = {
  'missing declaration of a required endpoint': {
    filter: changeResponse(is('GET', '/v1'), (body: readonly { endPoints: readonly { name: string }[] }[]) =>
      body.map((group) => ({ ...group, endPoints: group.endPoints.filter(({ name }) => name !== 'renewCertificate') })),
    ),
    foundBy: 'declares every required endpoint of the function group',
  },
  'function group without a kind': {
    filter: changeResponse(is('GET', '/v1'), (body: readonly object[]) =>
      body.map((group) => ({ ...group, kinds: [] })),
    ),
    foundBy: 'declares its function groups and their kinds',
  },
  'declared endpoint that does not exist': {
    filter: respondDirectly(is('POST', '/identify'), { status: 404, text: '<html>Not found</html>' }),
    foundBy: 'identifies a certificate that it issued, and returns 404 for any other',
  },
  'health as a string': {
    filter: respondDirectly(is('GET', '/health'), { status: 200, body: 'UP' }),
    foundBy: 'reports its health and that of its parts',
  },
  'health parts as an array': {
    filter: changeResponse(is('GET', '/health'), (body: object) => ({ ...body, parts: [{ status: 'ok' }] })),
    foundBy: 'reports its health and that of its parts',
  },
  'object instead of a string': {
    filter: changeResponse(
      (call) => call.method === 'GET' && isSingleAuthority(call),
      (body: object) => ({ ...body, name: { text: 'Vanilla' } }),
    ),
    foundBy: 'returns an authority and includes it in the list',
  },
  'response that is not JSON': {
    filter: respondDirectly(is('GET', '/raProfile/attributes'), { status: 200, text: 'none' }),
    foundBy: 'returns RA profile attribute definitions',
  },
  '500 instead of 404': {
    filter: replaceStatus(404, ({ body }) => ({ status: 500, body })),
    foundBy: 'returns 404 for an authority that does not exist',
  },
  '404 without a message': {
    filter: replaceStatus(404, () => ({ status: 404, text: 'Not found' })),
    foundBy: 'returns 404 for an authority that does not exist',
  },
  '422 as an object': {
    filter: replaceStatus(422, () => ({ status: 422, body: { message: 'Constraint violated.' } })),
    foundBy: 'rejects a request that is not a CSR',
  },
  '422 with an empty list': {
    filter: replaceStatus(422, () => ({ status: 422, body: [] })),
    foundBy: 'rejects a request that is not a CSR',
  },
  'definition without a label': {
    filter: definition('data_pin', (found) => ({ ...found, properties: { ...found.properties, label: ' ' } })),
    foundBy: DEFINED,
  },
  'multiple selection without a list': {
    filter: definition('data_pin', (found) => ({ ...found, properties: { ...found.properties, multiSelect: true } })),
    foundBy: DEFINED,
  },
  'group without a callback': {
    filter: definition('group_flavour', ({ attributeCallback: _none, ...rest }) => rest),
    foundBy: DEFINED,
  },
  'malformed UUID': {
    filter: definition('data_pin', (found) => ({ ...found, uuid: 'pin' })),
    foundBy: DEFINED,
  },
  'duplicate attribute name': {
    filter: definition('data_pin', (found) => ({ ...found, name: 'data_flavour' })),
    foundBy: DEFINED,
  },
  'pattern constraint on a secret': {
    filter: definition('data_pin', (found) => ({ ...found, constraints: [{ type: 'regExp', data: '[0-9]+' }] })),
    foundBy: DEFINED,
  },
  'choice of a different type': {
    filter: definition('data_flavour', (found) => ({ ...found, content: [{ data: 17 }] })),
    foundBy: DEFINED,
  },
  'callback that does not exist': {
    filter: respondDirectly((call) => call.path.includes('/callbacks/'), {
      status: 404,
      body: { message: 'No such path.' },
    }),
    foundBy: 'responds to the callbacks of authority attributes',
  },
  'callback that does not return definitions': {
    filter: respondDirectly((call) => call.path.includes('/callbacks/'), { status: 200, body: { scoops: 2 } }),
    foundBy: 'responds to the callbacks of authority attributes',
  },
  'validation that accepts everything': {
    filter: respondDirectly(is('POST', '/PlainCA/attributes/validate'), { status: 200 }),
    foundBy: 'rejects attributes without the required data_commonName when validating authority attributes',
  },
  'creation that accepts attributes that validation rejects': {
    filter: async (call, answer) => {
      const given = await answer(call);
      const isMeant = given.status === 422 && is('POST', '/authorityProvider/authorities')(call);
      return isMeant ? { status: 200, body: { uuid: randomUUID(), name: 'any', attributes: [] } } : given;
    },
    foundBy: 'rejects attributes without the required data_commonName when creating an authority',
  },
  'creation that rejects attributes that validation accepts': {
    filter: respondDirectly((call) => is('POST', '/authorityProvider/authorities')(call), {
      status: 422,
      body: ['Attributes rejected.'],
    }),
    foundBy: 'creates an authority',
  },
  'secret in a response': {
    filter: async (call, answer) => {
      const given = await answer(call);
      if (given.status >= 300 || !is('POST', '/authorityProvider/authorities')(call)) return given;
      return { ...given, body: { ...(given.body as object), echo: call.body } };
    },
    foundBy: 'creates an authority',
  },
  'list without the created object': {
    filter: changeResponse(is('GET', '/authorityProvider/authorities'), () => []),
    foundBy: 'returns an authority and includes it in the list',
  },
  'lost update': {
    filter: async (call, answer) => {
      if (call.method !== 'POST' || !isSingleAuthority(call)) return answer(call);
      const shown = await answer({ ...call, method: 'GET', body: undefined });
      return shown.status < 300
        ? { ...shown, body: { ...(shown.body as object), name: (call.body as { name: string }).name } }
        : shown;
    },
    foundBy: 'updates an authority idempotently',
  },
  'removal without effect': {
    filter: respondDirectly((call) => call.method === 'DELETE', { status: 204 }),
    foundBy: 'removes an authority',
  },
  'two instances for one Idempotency-Key': {
    filter: (call, answer) => answer({ ...call, idempotencyKey: undefined }),
    foundBy: 'creates an authority only once for the same Idempotency-Key',
  },
  'two certificates for one Idempotency-Key': {
    filter: (call, answer) => answer(isIssue(call) ? { ...call, idempotencyKey: undefined } : call),
    foundBy: 'returns the same certificate for the same Idempotency-Key',
  },
  'certificate for a different key': {
    filter: changeResponse(isIssue, async () => ({
      certificateData: base64((await createExternalAuthority('CN=Different key')).der),
    })),
    foundBy: 'issues the requested certificate',
  },
  'certificate signed with a different key': {
    filter: changeResponse(isIssue, async (_body, call) => ({ certificateData: await issueByOtherCa(call) })),
    foundBy: 'signs certificates with the CA key',
  },
  'certificate for a different name': {
    filter: changeResponse(isIssue, async (_body, call) => ({
      certificateData: await issueByOtherCa(call, { subject: 'CN=somebody.example' }),
    })),
    foundBy: 'issues the requested certificate',
  },
  'internal error for a CSR without SANs': {
    filter: async (call, answer) => {
      const isMeant = isIssue(call) && (call.body as { request: string }).request.length < SHORT_REQUEST;
      return isMeant ? { status: 500, body: { message: 'Cannot read property 0 of undefined' } } : answer(call);
    },
    foundBy: 'issues a certificate for a CSR without SANs, or rejects it with an error message',
  },
  'expired certificate': {
    filter: changeResponse(isIssue, async (_body, call) => ({
      certificateData: await issueByOtherCa(call, { notAfterMs: Date.now() - 1_000 }),
    })),
    foundBy: 'issues the requested certificate',
  },
  'the same certificate for every call': {
    filter: repeatFirstResponse(),
    foundBy: 'issues a new certificate for each call',
  },
  'certificate as PEM': {
    filter: changeResponse(isIssue, (body: { certificateData: string }) => ({
      ...body,
      certificateData: `-----BEGIN CERTIFICATE-----\n${body.certificateData}\n-----END CERTIFICATE-----`,
    })),
    foundBy: 'issues the requested certificate',
  },
  'response without a certificate': {
    filter: changeResponse(isIssue, () => ({ meta: [] })),
    foundBy: 'issues the requested certificate',
  },
  'success for a request that is not a CSR': {
    filter: async (call, answer) => {
      const given = await answer(call);
      return isIssue(call) && given.status === 422 ? { status: 200, body: { certificateData: '' } } : given;
    },
    foundBy: 'rejects a request that is not a CSR',
  },
  'identification of a foreign certificate': {
    filter: respondDirectly(is('POST', '/identify'), { status: 200, body: { meta: [] } }),
    foundBy: 'identifies a certificate that it issued, and returns 404 for any other',
  },
  'revocation of a foreign certificate': {
    filter: respondDirectly(is('POST', '/revoke'), { status: 200 }),
    foundBy: 'rejects the revocation of a certificate that it did not issue',
  },
};
