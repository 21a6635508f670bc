// The attribute engine, connector calls, and searches by custom attribute values in a large inventory.
import { defineConnector, developmentContext, serveConnector } from '@signetry/connector-sdk';
import { functionGroupOperations, type DataAttribute, type RequestAttributeDto } from '@signetry/contract';
import { Database, openSocketDirectory } from '@signetry/server/database';
import { checkPlatformValues } from '../../packages/server/src/areas/attributes/index.ts';
import { createCustomAttributeService } from '../../packages/server/src/areas/attributes/custom/service.ts';
import { createAuditArea } from '../../packages/server/src/areas/audit/index.ts';
import { createCertificateList } from '../../packages/server/src/areas/inventory/search/list.ts';
import { createRememberedTotals } from '../../packages/server/src/areas/inventory/search/store-totals.ts';
import { createCertificateFields } from '../../packages/server/src/areas/inventory/search/search-fields.ts';
import { createHttpTransport } from '../../packages/server/src/areas/connectors/http-transport.ts';
import { createInProcessTransport } from '../../packages/server/src/areas/connectors/in-process-transport.ts';
import type { Transport } from '../../packages/server/src/areas/connectors/transport.ts';
import { coreContext } from '../../packages/server/src/kernel/actor.ts';
import { createEgressGate } from '../../packages/server/src/platform/net/egress.ts';
import { startTestCluster, TEMPLATE_DATABASE } from '../../packages/testkit/src/test-cluster.ts';
import { testPlatform } from '../../packages/testkit/src/test-platform-services.ts';
import { fillCertificates } from './certificates-in-database.ts';
import { median, type BenchmarkReport, type Figure } from './report.ts';

const CALLS = 2_000;
const DEFINITIONS = 1_000;
/** Patterns on which a backtracking engine practically never finishes. */
const HOSTILE_PATTERNS = ['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){20}$', '([a-zA-Z]+)*$', '(\\d+|\\d+\\s)*$'];

export async function benchAttributes(options: ReadonlyMap<string, string>): Promise<BenchmarkReport> {
  const certificates = Number(options.get('certificates') ?? 1_000_000);
  return {
    name: `Attributes, with ${certificates.toLocaleString('en')} certificates`,
    figures: [validations(), hostilePatterns(), ...(await calls()), ...(await searches(certificates))],
    notes: [
      `Calls: ${CALLS} of an empty handler, sequential. Lists and searches: medians of 15 calls of the use case, with their page and exact total.`,
    ],
  };
}

/** Validates requests with 20 attributes of various content types, half of them with constraints. */
function validations(): Figure {
  const definitions = Array.from({ length: 20 }, (_, index) => definition(index));
  const requested = definitions.map(({ uuid, name, contentType }): RequestAttributeDto => {
    const data = contentType === 'integer' ? 7 : contentType === 'boolean' ? true : 'host-7.example';
    return { uuid, name, contentType, content: [{ data }] };
  });
  const check = () => checkPlatformValues(definitions, requested);
  for (let index = 0; index < 2_000; index += 1) check();
  const started = performance.now();
  let count = 0;
  for (; performance.now() - started < 2_000; count += 1) check();
  const seconds = (performance.now() - started) / 1000;
  return { name: 'requests with 20 attributes validated', value: count / seconds, unit: '/s', goal: '>= 20000' };
}

function definition(index: number): DataAttribute {
  const contentType = (['string', 'string', 'integer', 'boolean'] as const)[index % 4] ?? 'string';
  const constraints = {
    string: [{ type: 'regExp' as const, data: '[a-z0-9.-]{1,64}' }],
    integer: [{ type: 'range' as const, data: { from: 1, to: 100 } }],
    boolean: [],
  }[contentType];
  return {
    version: 2,
    uuid: `00000000-0000-0000-0000-${String(index).padStart(12, '0')}`,
    name: `data_${index}`,
    type: 'data',
    contentType,
    constraints: index % 2 === 0 ? constraints : [],
    properties: {
      label: `Label ${index}`,
      visible: true,
      required: true,
      readOnly: false,
      list: false,
      multiSelect: false,
    },
  };
}

/** Measures the longest time that one request blocks the event loop, for any pattern from a connector. */
function hostilePatterns(): Figure {
  const held = HOSTILE_PATTERNS.map((data) => {
    const attribute = { ...definition(0), constraints: [{ type: 'regExp' as const, data }] };
    const requested: RequestAttributeDto[] = [
      {
        uuid: attribute.uuid,
        name: attribute.name,
        contentType: 'string',
        content: [{ data: `${'a'.repeat(8_000)}!` }],
      },
    ];
    const started = performance.now();
    try {
      checkPlatformValues([attribute], requested);
    } catch {
      // The rejection is expected; only the time is measured.
    }
    return performance.now() - started;
  });
  return {
    name: 'longest block of the event loop by a catastrophic pattern',
    value: Math.max(...held),
    unit: 'ms',
    goal: '<= 50',
  };
}

async function calls(): Promise<Figure[]> {
  const connector = defineConnector({
    name: 'bench',
    functions: { credentialProvider: { kinds: ['Bench'] } },
    create: () => ({ functions: { credentialProvider: { listAttributeDefinitions: () => [definition(0)] } } }),
  });
  const served = await serveConnector(connector, { context: developmentContext() });
  const egress = createEgressGate({ allowLoopback: true, allowedHosts: [], onlyHosts: [], isOwnListener: () => false });
  const dispatcher = egress.dispatcher();
  try {
    const http = createHttpTransport({ url: served.url, egress, dispatcher, headers: () => ({}) });
    return [
      {
        name: 'in-process call, median',
        value: (await medianCall(createInProcessTransport(served.running))) * 1000,
        unit: 'us',
        goal: '<= 20',
      },
      { name: 'call over HTTP on loopback, median', value: await medianCall(http), unit: 'ms', goal: '<= 0.6' },
    ];
  } finally {
    await served.close();
    await dispatcher.destroy();
  }
}

async function medianCall(transport: Transport): Promise<number> {
  const { listAttributeDefinitions } = functionGroupOperations.credentialProvider;
  const request = { params: { functionalGroup: 'credentialProvider', kind: 'Bench' } } as const;
  const times: number[] = [];
  for (let call = 0; call < CALLS * 2; call += 1) {
    const started = performance.now();
    const definitions = await transport.call(listAttributeDefinitions, request, {});
    if (definitions.length !== 1) throw new Error('The handler was not called.');
    if (call >= CALLS) times.push(performance.now() - started);
  }
  return median(times);
}

async function searches(certificates: number): Promise<Figure[]> {
  const cluster = await startTestCluster();
  const socket = openSocketDirectory(cluster.facts.runDirectory);
  const { port, user, password } = cluster.facts;
  const connection = { host: socket.path, port, user, password, database: TEMPLATE_DATABASE };
  const database = new Database({ connection, onError: () => undefined });
  try {
    const platform = testPlatform(database);
    const { trail: audit } = createAuditArea(platform);
    const service = createCustomAttributeService(platform, { audit, changed: () => undefined });
    await fillCertificates(database, certificates);
    await fillValues(database, certificates);
    const list = createCertificateList(platform, {
      fields: createCertificateFields([]),
      totals: createRememberedTotals(),
    });
    const by = (identifier: string, condition: 'EQUALS' | 'CONTAINS' | 'GREATER', value: string | number) => () =>
      list(
        {
          itemsPerPage: 10,
          pageNumber: 1,
          filters: [{ fieldSource: 'custom', fieldIdentifier: identifier, condition, value }],
        },
        coreContext('bench'),
      );
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      'definitions of a resource, 1,000 with values': () => service.forResource('certificates', coreContext('bench')),
      'all definitions, 1,000': () => service.list(undefined),
      'certificates by a text, 10 of them': by('attribute 1|STRING', 'EQUALS', 'value 77'),
      'certificates by a number, 10 of them': by('attribute 2|INTEGER', 'EQUALS', 77),
      'certificates by a range of numbers, a hundred': by('attribute 2|INTEGER', 'GREATER', certificates / 10 - 11),
      'certificates by a substring': by('attribute 1|STRING', 'CONTAINS', 'alue 9999'),
    };
    const figures: Figure[] = [];
    for (const [name, call] of Object.entries(calls)) {
      const goal = /definitions/.test(name) ? '<= 30' : /part/.test(name) ? undefined : '<= 10';
      figures.push({ name, value: await medianOf(15, call), unit: 'ms', ...(goal ? { goal } : {}) });
    }
    return figures;
  } finally {
    await database.close();
    socket.close();
    await cluster.stop();
  }
}

/** Creates many definitions. Every certificate has a text and a number; ten certificates share each value. */
async function fillValues(database: Database, certificates: number): Promise<void> {
  await database.query(
    `INSERT INTO attribute_definition (uuid, type, attribute_uuid, name, content_type, label, definition, resources, created_at, updated_at)
     SELECT id, 'custom', id, name, content_type, name, jsonb_build_object('uuid', id, 'version', 2, 'name', name, 'type', 'custom',
       'contentType', content_type, 'properties', jsonb_build_object('label', name)), '{certificates}', now(), now()
     FROM (SELECT ('00000000-0000-0000-0003-' || lpad(n::text, 12, '0'))::uuid AS id, 'attribute ' || n AS name,
       CASE WHEN n = 2 THEN 'integer' ELSE 'string' END AS content_type FROM generate_series(1, $1::int) AS n) each`,
    [DEFINITIONS],
  );
  const chunk = 50_000;
  for (let first = 0; first < certificates; first += chunk)
    await database.query(
      `INSERT INTO attribute_value (uuid, object_resource, object_uuid, definition_uuid, position, item, value_text, value_number)
       SELECT gen_random_uuid(), 'certificates', ('00000000-0000-0000-0002-' || lpad(n::text, 12, '0'))::uuid,
         ('00000000-0000-0000-0003-' || lpad(d::text, 12, '0'))::uuid, 0,
         CASE d WHEN 1 THEN jsonb_build_object('data', 'value ' || n / 10) ELSE jsonb_build_object('data', n / 10) END,
         CASE d WHEN 1 THEN 'value ' || n / 10 ELSE (n / 10)::text END, CASE d WHEN 2 THEN n / 10 END
       FROM generate_series($1::int, $2::int) AS n, generate_series(1, 2) AS d`,
      [first, Math.min(first + chunk, certificates) - 1],
    );
  await database.query('ANALYZE');
}

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let call = 0; call < count; call += 1) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}
