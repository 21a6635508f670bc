// The plain authority with one mistake at a time, of the kind that authors of connectors make.
import { randomUUID } from 'node:crypto';
import { foreignAuthority } from '@signetry/connector-conformance';
import { readCertificationRequest } from '@signetry/pki';
import type { PlainAnswer, PlainCall, PlainFilter } from './plain-authority.ts';

export interface PlantedFault {
  readonly filter: PlainFilter;
  /** A check that has to find it. */
  readonly foundBy: string;
}

/** Changes the body of the answers to some calls. */
const changing =
  (isMeant: (call: PlainCall) => boolean, change: (body: never, call: PlainCall) => unknown): PlainFilter =>
  async (call, answer) => {
    const given = await answer(call);
    // the change knows the body of the calls that it is meant for
    return isMeant(call) && given.status < 300 ? { ...given, body: await change(given.body as never, call) } : given;
  };

/** Answers some calls by itself. */
const answering =
  (isMeant: (call: PlainCall) => boolean, given: PlainAnswer): PlainFilter =>
  async (call, answer) =>
    isMeant(call) ? given : answer(call);

/** Answers otherwise where the status is this one. */
const instead =
  (status: number, given: (answer: PlainAnswer) => PlainAnswer): PlainFilter =>
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
const isOne = (call: PlainCall): boolean => /authorities\/[0-9a-f-]{36}$/.test(call.path);

type Definition = Record<string, unknown> & { readonly name: string; readonly properties?: object };

/** Changes one definition of the form. */
const definition = (name: string, change: (found: Definition) => Definition): PlainFilter =>
  changing(isForm, (body: readonly Definition[]) => body.map((each) => (each.name === name ? change(each) : each)));

const base64 = (der: Uint8Array): string => Buffer.from(der).toString('base64');

/** What another CA issues on the request. */
async function byAnotherAuthority(call: PlainCall, facts: object = {}): Promise<string> {
  const csr = readCertificationRequest((call.body as { request: string }).request); // a call to issue
  const other = await foreignAuthority('CN=Somebody else');
  return base64(other.issue({ subject: csr.subject, spki: csr.publicKey.spki, ...facts }));
}

/** The first answer to a request for all that follow it. */
function onlyOnce(): PlainFilter {
  const known = new Map<string, PlainAnswer>();
  return async (call, answer) => {
    if (!isIssue(call)) return answer(call);
    const { request } = call.body as { request: string }; // a call to issue
    const given = known.get(request) ?? (await answer(call));
    known.set(request, given);
    return given;
  };
}

/** In Base64; a request with alternative names is longer, and what is none is much shorter. */
const SHORT_REQUEST = 330;

const DEFINED = 'defines the values of an authority';

export const faults: Readonly<Record<string, PlantedFault>> = {
  'an endpoint that is demanded is not declared': {
    filter: changing(is('GET', '/v1'), (body: readonly { endPoints: readonly { name: string }[] }[]) =>
      body.map((group) => ({ ...group, endPoints: group.endPoints.filter(({ name }) => name !== 'renewCertificate') })),
    ),
    foundBy: 'declares every endpoint that the function group demands',
  },
  'a function group without a kind': {
    filter: changing(is('GET', '/v1'), (body: readonly object[]) => body.map((group) => ({ ...group, kinds: [] }))),
    foundBy: 'declares its function groups and their kinds',
  },
  'an endpoint that is declared but not there': {
    filter: answering(is('POST', '/identify'), { status: 404, text: '<html>Not found</html>' }),
    foundBy: 'recognizes a certificate that it issued, and no other',
  },
  'health as a text': {
    filter: answering(is('GET', '/health'), { status: 200, body: 'UP' }),
    foundBy: 'tells its health, and that of its parts',
  },
  'parts of health as a list': {
    filter: changing(is('GET', '/health'), (body: object) => ({ ...body, parts: [{ status: 'ok' }] })),
    foundBy: 'tells its health, and that of its parts',
  },
  'an object in place of a text': {
    filter: changing(
      (call) => call.method === 'GET' && isOne(call),
      (body: object) => ({ ...body, name: { text: 'Vanilla' } }),
    ),
    foundBy: 'shows and lists an authority',
  },
  'an answer that is not JSON': {
    filter: answering(is('GET', '/raProfile/attributes'), { status: 200, text: 'none' }),
    foundBy: 'defines the values of an RA profile',
  },
  '500 where 404 is due': {
    filter: instead(404, ({ body }) => ({ status: 500, body })),
    foundBy: 'answers 404 for an authority that does not exist',
  },
  '404 without a message': {
    filter: instead(404, () => ({ status: 404, text: 'Not found' })),
    foundBy: 'answers 404 for an authority that does not exist',
  },
  '422 as an object': {
    filter: instead(422, () => ({ status: 422, body: { message: 'Not as required.' } })),
    foundBy: 'refuses what is no certification request',
  },
  '422 that says nothing': {
    filter: instead(422, () => ({ status: 422, body: [] })),
    foundBy: 'refuses what is no certification request',
  },
  'a definition without a label': {
    filter: definition('data_pin', (found) => ({ ...found, properties: { ...found.properties, label: ' ' } })),
    foundBy: DEFINED,
  },
  'several choices without a list': {
    filter: definition('data_pin', (found) => ({ ...found, properties: { ...found.properties, multiSelect: true } })),
    foundBy: DEFINED,
  },
  'a group without a call-back': {
    filter: definition('group_flavour', ({ attributeCallback: _none, ...rest }) => rest),
    foundBy: DEFINED,
  },
  'a uuid that is none': {
    filter: definition('data_pin', (found) => ({ ...found, uuid: 'pin' })),
    foundBy: DEFINED,
  },
  'a name that is used twice': {
    filter: definition('data_pin', (found) => ({ ...found, name: 'data_flavour' })),
    foundBy: DEFINED,
  },
  'a pattern for a secret': {
    filter: definition('data_pin', (found) => ({ ...found, constraints: [{ type: 'regExp', data: '[0-9]+' }] })),
    foundBy: DEFINED,
  },
  'a choice of another type': {
    filter: definition('data_flavour', (found) => ({ ...found, content: [{ data: 17 }] })),
    foundBy: DEFINED,
  },
  'a call-back that goes nowhere': {
    filter: answering((call) => call.path.includes('/callbacks/'), { status: 404, body: { message: 'No such path.' } }),
    foundBy: 'answers the call-backs of the values of an authority',
  },
  'a call-back that answers no definitions': {
    filter: answering((call) => call.path.includes('/callbacks/'), { status: 200, body: { scoops: 2 } }),
    foundBy: 'answers the call-backs of the values of an authority',
  },
  'a check that accepts everything': {
    filter: answering(is('POST', '/PlainCA/attributes/validate'), { status: 200 }),
    foundBy: 'finds in the values of an authority: values without data_commonName, which is required',
  },
  'a use that accepts what the check refuses': {
    filter: async (call, answer) => {
      const given = await answer(call);
      const isMeant = given.status === 422 && is('POST', '/authorityProvider/authorities')(call);
      return isMeant ? { status: 200, body: { uuid: randomUUID(), name: 'any', attributes: [] } } : given;
    },
    foundBy: 'creating an authority refuses values without data_commonName, which is required',
  },
  'a check that accepts what the use refuses': {
    filter: answering((call) => is('POST', '/authorityProvider/authorities')(call), {
      status: 422,
      body: ['Not today.'],
    }),
    foundBy: 'creates an authority',
  },
  'a secret that is given back': {
    filter: async (call, answer) => {
      const given = await answer(call);
      if (given.status >= 300 || !is('POST', '/authorityProvider/authorities')(call)) return given;
      return { ...given, body: { ...(given.body as object), echo: call.body } };
    },
    foundBy: 'creates an authority',
  },
  'a list that lacks what was created': {
    filter: changing(is('GET', '/authorityProvider/authorities'), () => []),
    foundBy: 'shows and lists an authority',
  },
  'a change that is lost': {
    filter: async (call, answer) => {
      if (call.method !== 'POST' || !isOne(call)) return answer(call);
      const shown = await answer({ ...call, method: 'GET', body: undefined });
      return shown.status < 300
        ? { ...shown, body: { ...(shown.body as object), name: (call.body as { name: string }).name } }
        : shown;
    },
    foundBy: 'changes an authority, twice to the same effect',
  },
  'a removal that removes nothing': {
    filter: answering((call) => call.method === 'DELETE', { status: 204 }),
    foundBy: 'forgets an authority that is removed',
  },
  'two instances for one Idempotency-Key': {
    filter: (call, answer) => answer({ ...call, idempotencyKey: undefined }),
    foundBy: 'creates an authority once under the same Idempotency-Key',
  },
  'two certificates for one Idempotency-Key': {
    filter: (call, answer) => answer(isIssue(call) ? { ...call, idempotencyKey: undefined } : call),
    foundBy: 'answers the same certificate under the same Idempotency-Key',
  },
  'a certificate for another key': {
    filter: changing(isIssue, async () => ({
      certificateData: base64((await foreignAuthority('CN=Another key')).der),
    })),
    foundBy: 'issues the certificate that is requested',
  },
  'a certificate that another key signed': {
    filter: changing(isIssue, async (_body, call) => ({ certificateData: await byAnotherAuthority(call) })),
    foundBy: 'signs certificates with the key of the authority',
  },
  'a certificate for another name': {
    filter: changing(isIssue, async (_body, call) => ({
      certificateData: await byAnotherAuthority(call, { subject: 'CN=somebody.example' }),
    })),
    foundBy: 'issues the certificate that is requested',
  },
  'a fault where there are no alternative names': {
    filter: async (call, answer) => {
      const isMeant = isIssue(call) && (call.body as { request: string }).request.length < SHORT_REQUEST;
      return isMeant ? { status: 500, body: { message: 'Cannot read property 0 of undefined' } } : answer(call);
    },
    foundBy: 'issues on a request without alternative names, or refuses it in words',
  },
  'a certificate that has expired': {
    filter: changing(isIssue, async (_body, call) => ({
      certificateData: await byAnotherAuthority(call, { notAfterMs: Date.now() - 1_000 }),
    })),
    foundBy: 'issues the certificate that is requested',
  },
  'one certificate for every call': {
    filter: onlyOnce(),
    foundBy: 'issues a certificate of its own for each call',
  },
  'a certificate as PEM': {
    filter: changing(isIssue, (body: { certificateData: string }) => ({
      ...body,
      certificateData: `-----BEGIN CERTIFICATE-----\n${body.certificateData}\n-----END CERTIFICATE-----`,
    })),
    foundBy: 'issues the certificate that is requested',
  },
  'an answer without a certificate': {
    filter: changing(isIssue, () => ({ meta: [] })),
    foundBy: 'issues the certificate that is requested',
  },
  'an unknown request is signed': {
    filter: async (call, answer) => {
      const given = await answer(call);
      return isIssue(call) && given.status === 422 ? { status: 200, body: { certificateData: '' } } : given;
    },
    foundBy: 'refuses what is no certification request',
  },
  'a certificate of somebody else is recognized': {
    filter: answering(is('POST', '/identify'), { status: 200, body: { meta: [] } }),
    foundBy: 'recognizes a certificate that it issued, and no other',
  },
  'a certificate of somebody else is revoked': {
    filter: answering(is('POST', '/revoke'), { status: 200 }),
    foundBy: 'refuses to revoke a certificate of somebody else',
  },
};
