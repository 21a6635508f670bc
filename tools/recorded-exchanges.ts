// Replays recorded exchanges with public connectors: the platform's HTTP transport and the conformance session read the
// recorded response to the recorded request.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createRouteTable } from '@signetry/connector-sdk';
import { connectorOperations, type Operation } from '@signetry/contract';
import { Session } from '../packages/connector-conformance/src/session.ts';
import { httpTransport } from '../packages/connector-conformance/src/transport.ts';
import { CallFailure } from '../packages/server/src/areas/connectors/call-failure.ts';
import { createHttpTransport } from '../packages/server/src/areas/connectors/http-transport.ts';
import { createEgressGate } from '../packages/server/src/platform/net/egress.ts';
import { ROOT } from './source-files.ts';

const FOLDER = 'packages/server/src/areas/connectors/testing/recorded';

export interface Recording {
  /** File name without its extension. */
  readonly file: string;
  readonly connector: string;
  /** Subject of the exchange, as in a table. */
  readonly exchange: string;
}

/** The recordings do not contain the versions of the connectors. */
export const recordings: readonly Recording[] = [
  {
    file: 'ctlogs-discover-null-lists',
    connector: 'CT log discovery',
    exchange: 'Start of a discovery: certificate list and metadata are null',
  },
  {
    file: 'ip-discover-null-meta',
    connector: 'IP and host name discovery',
    exchange: 'Start of a discovery: metadata is null',
  },
  {
    file: 'keystore-csr-response',
    connector: 'Key store entities',
    exchange: 'CSR for a location: push attributes without uuid, CSR as Base64 of PEM',
  },
  {
    file: 'soft-activate-400-body',
    connector: 'Software cryptography provider',
    exchange: 'Token activation with an incorrect code: 400 with the reason in a list of errors',
  },
  {
    file: 'soft-secret-form-501',
    connector: 'Software cryptography provider',
    exchange: 'Form for secret keys: 501',
  },
  {
    file: 'vault-callback-without-slash',
    connector: 'HashiCorp Vault authorities',
    exchange: 'Attributes of an authority: callback path without a leading slash',
  },
];

interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly request: unknown;
  readonly status: number;
  readonly answer: unknown;
}

export interface Replay {
  /** Response as the platform reads it. */
  readonly response?: unknown;
  /** Rejection as the platform reads it. */
  readonly failure?: CallFailure;
  /** Problem that the conformance check reports. */
  readonly problem?: string;
  /** Deviations from the interface that the conformance check reports and the platform accepts. */
  readonly notes: readonly string[];
}

/** Replays one recording; throws if the platform cannot read the response. */
export async function replay({ file }: Recording): Promise<Replay> {
  const exchange = JSON.parse(readFileSync(join(ROOT, FOLDER, `${file}.json`), 'utf8')) as Exchange; // Recorded form.
  const server = createServer((_request, response) => {
    response.writeHead(exchange.status, { 'content-type': 'application/json' });
    response.end(typeof exchange.answer === 'string' ? exchange.answer : JSON.stringify(exchange.answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // A listening TCP server has this address type.
  try {
    const url = `http://127.0.0.1:${port}`;
    return { ...(await readByPlatform(url, exchange)), ...(await readByCheck(url, exchange)) };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const find = createRouteTable(Object.values<Operation>(connectorOperations));

function callOf({ method, path, request }: Exchange) {
  const match = find(method, path);
  if (typeof match === 'string') throw new Error(`The interface has no operation ${method} ${path}.`);
  const { operation, params } = match;
  return { operation, call: { params, ...(request === '' ? {} : { body: request }) } };
}

async function readByPlatform(url: string, exchange: Exchange): Promise<Pick<Replay, 'response' | 'failure'>> {
  const { operation, call } = callOf(exchange);
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const dispatcher = egress.dispatcher({ connectTimeoutMs: 5_000 });
  const transport = createHttpTransport({ url, egress, dispatcher, headers: () => ({}) });
  try {
    return { response: await transport.call(operation, call as never, {}) }; // Recorded for this operation.
  } catch (error) {
    if (error instanceof CallFailure && error.status === exchange.status) return { failure: error };
    throw error;
  } finally {
    await dispatcher.destroy();
  }
}

/** Statuses of rejections, including operations that are not offered. */
const REJECTIONS = [400, 404, 422, 501];

async function readByCheck(url: string, exchange: Exchange): Promise<Pick<Replay, 'problem' | 'notes'>> {
  const { operation, call } = callOf(exchange);
  const session = new Session(httpTransport(url));
  await session.check({}, 'recorded exchange', () =>
    exchange.status < 300 ? session.ask(operation, call) : session.refused(operation, call, REJECTIONS),
  );
  const [{ problem, notes = [] } = {}] = session.results;
  return { notes, ...(problem === undefined ? {} : { problem }) };
}
