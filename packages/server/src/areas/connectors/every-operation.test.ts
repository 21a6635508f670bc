// Every operation of the connector interface, from the platform's transports to an SDK connector and back.
import {
  connectorBaseOperations,
  connectorOperations,
  FunctionGroupCode,
  functionGroupOperations,
  readLeniently,
  type Operation,
  type OperationTable,
} from '@signetry/contract';
import {
  defineConnector,
  developmentContext,
  notFound,
  rejected,
  serveConnector,
  type Connector,
  type ServedConnector,
} from '@signetry/connector-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createEgressGate } from '../../platform/net/egress.ts';
import { createHttpTransport, pathOf } from './http-transport.ts';
import { infoOperation, readFunctionGroups } from './info-response.ts';
import { createInProcessTransport } from './in-process-transport.ts';
import { sampleCalls } from './testing/sample-calls.ts';
import type { SampleCall } from './testing/sample-values.ts';
import type { Transport } from './transport.ts';

interface Row extends SampleCall {
  readonly code: FunctionGroupCode;
  readonly name: string;
  readonly operation: Operation;
}

const rows: readonly Row[] = FunctionGroupCode.options.flatMap((code) => {
  const table: OperationTable = functionGroupOperations[code];
  return Object.entries<SampleCall>(sampleCalls[code]).flatMap(([name, sample]) => {
    const operation = table[name];
    return operation ? [{ ...sample, code, name, operation }] : [];
  });
});

/** Calls received by the handlers, and the error that they throw instead of responding. */
const received: unknown[] = [];
let refusal: (() => Error) | undefined;

/** A connector whose handlers all return the sample responses. */
function sampleConnector(name: string, codes: readonly FunctionGroupCode[]): Connector {
  const handlersIn = (code: FunctionGroupCode) =>
    Object.fromEntries(
      rows
        .filter((row) => row.code === code)
        .map((row) => [
          row.name,
          ({ params, query, body }: Record<'params' | 'query' | 'body', unknown>) => {
            received.push(JSON.parse(JSON.stringify({ code, name: row.name, params, query, body })));
            if (refusal) throw refusal();
            return row.answer;
          },
        ]),
    );
  const each = <Value>(of: (code: FunctionGroupCode) => Value) =>
    Object.fromEntries(codes.map((code) => [code, of(code)])) as Record<FunctionGroupCode, Value>; // of these groups
  return defineConnector({
    name,
    functions: each(() => ({ kinds: ['Sample'] })),
    create: () => ({ functions: each(handlersIn) as never }), // the rows are typed by the operations
  });
}

// Both authority generations have the same paths.
const generations: Readonly<Record<string, readonly FunctionGroupCode[]>> = {
  current: FunctionGroupCode.options.filter((code) => code !== 'legacyAuthorityProvider'),
  legacy: ['legacyAuthorityProvider'],
};
const served = new Map<FunctionGroupCode, ServedConnector>();
const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
const dispatcher = egress.dispatcher();

/** Discards log output: errors that handlers throw on purpose are noise. */
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const context = { ...developmentContext(), log: silent };

beforeAll(async () => {
  for (const [name, codes] of Object.entries(generations)) {
    const connector = await serveConnector(sampleConnector(name, codes), { context });
    for (const code of codes) served.set(code, connector);
  }
});
afterAll(async () => {
  for (const connector of new Set(served.values())) await connector.close();
  await dispatcher.destroy();
});
beforeEach(() => {
  received.length = 0;
  refusal = undefined;
});

const connectorOf = (code: FunctionGroupCode): ServedConnector => {
  const connector = served.get(code);
  if (!connector) throw new Error(`no connector offers ${code}`);
  return connector;
};

const transports: [string, (code: FunctionGroupCode) => Transport][] = [
  ['over HTTP', (code) => createHttpTransport({ url: connectorOf(code).url, egress, dispatcher, headers: () => ({}) })],
  ['in the process', (code) => createInProcessTransport(connectorOf(code).running)],
];

const titled = rows.map((row) => [`${row.code}: ${row.operation.method} ${row.operation.path}`, row] as const);

it('every operation has a sample call', () => {
  const { listSupportedFunctions, checkHealth } = connectorBaseOperations;
  const sampled = new Set([listSupportedFunctions.id, checkHealth.id, ...rows.map(({ operation }) => operation.id)]);
  expect([...sampled].toSorted()).toEqual(Object.keys(connectorOperations).toSorted());
});

describe.each(transports)('a call %s', (_, transportTo) => {
  it.each(titled)(
    'is received and returns the sample response: %s',
    async (_title, { code, name, operation, request, answer }) => {
      const brought = await transportTo(code).call(operation, request, {});
      expect(received).toEqual([JSON.parse(JSON.stringify({ code, name, ...request }))]);
      expect(brought).toEqual(answer);
    },
  );

  it.each(titled)('reports every problem when it is rejected: %s', async (_title, { code, operation, request }) => {
    refusal = () => rejected('The first.', 'The second.');
    await expect(transportTo(code).call(operation, request, {})).rejects.toMatchObject({
      kind: 'rejected',
      outcome: 'notCarriedOut',
      problems: ['The first.', 'The second.'],
    });
    refusal = () => notFound('Thing', '17');
    await expect(transportTo(code).call(operation, request, {})).rejects.toMatchObject({
      kind: 'notFound',
      remoteMessage: 'Thing 17 does not exist.',
    });
  });
});

describe('a malformed body', () => {
  it.each(titled.filter(([, { operation }]) => operation.body))(
    'is rejected with 400 and a message: %s',
    async (_title, row) => {
      const { code, operation, request } = row;
      const send = async (body: string) => {
        const response = await fetch(connectorOf(code).url + pathOf(operation, request), {
          method: operation.method,
          body,
          headers: { 'content-type': 'application/json' },
        });
        return [response.status, await response.json()];
      };
      const refused = [
        400,
        { message: expect.stringMatching(/^The body (?:does not match the schema: .+|is not valid JSON)\.$/) },
      ];
      // Omitted lists default to empty, so `{}` is valid for some bodies.
      const isEnough = operation.body && readLeniently(operation.body, {}, 'connector').success;
      for (const body of ['7', 'null', '"text"', ...(isEnough ? [] : ['{"unknown":[]}']), '[{"name":1}]', '{', ''])
        expect([body, await send(body)]).toEqual([body, refused]);
      expect(received).toEqual([]);
    },
  );
});

describe("a connector's self-description", () => {
  it.each(Object.entries(generations))(
    'is accepted by the platform: function groups of the %s connector',
    async (_name, codes) => {
      const [code = 'authorityProvider'] = codes;
      const answer = await transports[0]?.[1](code).call(infoOperation, {}, {});
      expect(readFunctionGroups(answer ?? []).map((group) => group.code)).toEqual(codes);
    },
  );

  it.each(FunctionGroupCode.options)('lists the operations of %s and of no other group', async (code) => {
    const groups = await transports[0]?.[1](code).call(connectorBaseOperations.listSupportedFunctions, {}, {});
    const listed = groups?.find(({ functionGroupCode }) => functionGroupCode === code)?.endPoints ?? [];
    const own = listed.filter(({ context }) => context !== '/v1' && context !== '/v1/health');
    const names = rows.filter((row) => row.code === code).map(({ name }) => name);
    expect(own.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(listed).toHaveLength(names.length + 2);
  });
});
