// Import fences: who may import whom, with the reason in every message. Also finds circles, default exports and
// barrels.
import { dirname } from 'node:path/posix';
import { folderCircles } from './folder-circles.ts';
import { isTest, type SourceFile, type SourceImport } from './source-files.ts';
import { hasStatement } from './table-references.ts';

/** Areas from low to high: one imports another only from a lower tier, and only through its index.ts. */
export const AREA_TIERS: readonly (readonly string[])[] = [
  ['audit', 'info', 'catalogues'],
  ['attributes', 'derived-data', 'keys-at-rest', 'oids', 'saved-views', 'settings'],
  ['groups'],
  ['identity'],
  ['connectors', 'approvals', 'scheduler'],
  ['credentials'],
  ['callbacks', 'tokens'],
  ['authorities', 'keys'],
  ['ra-profiles'],
  ['certificates', 'protocol-profiles'],
  ['validation'],
  ['issuing'],
  ['inventory'],
  ['enrolments', 'signing-certificates'],
  [
    'acme-profiles',
    'cmp-profiles',
    'compliance',
    'discoveries',
    'entities',
    'est-profiles',
    'expiry',
    'notifications',
    'renewals',
    'revocation',
    'scep-profiles',
    'statistics',
  ],
  ['change-feed', 'workflows'],
];

const tierOf = (area: string): number => AREA_TIERS.findIndex((tier) => tier.includes(area));

/** Packages that a package may import, besides npm libraries. */
const PACKAGE_IMPORTS: Readonly<Record<string, { readonly may: readonly string[]; readonly why: string }>> = {
  contract: { may: ['zod'], why: 'the contract is the spine: it imports zod only, so that everything can import it' },
  client: { may: ['@signetry/contract', 'zod'], why: 'the client derives from the contract and runs in browsers too' },
  console: {
    may: [
      '@signetry/client', '@signetry/connector-sdk/pattern', '@signetry/contract', '@signetry/pki', '@signetry/pki/pkcs12',
      '@signetry/pki/hidden-characters', '@signetry/pki/international-names', 'react', 'react-dom/client',
      '@mantine/core', '@mantine/hooks',
      '@tabler/icons-react', '@tanstack/react-query', '@tanstack/react-router',
      '@mantine/core/styles/baseline.layer.css', '@mantine/core/styles/default-css-variables.layer.css',
      '@mantine/core/styles/global.layer.css',
    ],
    why: 'the console is a client like any other: it knows the interface, the codec and its view libraries',
  }, // prettier-ignore
  pki: { may: [], why: 'pki is pure: no package and no node module; src/node supplies the cryptography' },
  'connector-conformance': {
    may: ['@signetry/connector-sdk', '@signetry/contract', '@signetry/pki', '@signetry/pki/node', 'zod'],
    why: 'authors check their connectors without the platform',
  },
  'connector-sdk': { may: ['@signetry/contract', 'zod'], why: 'connector authors get the SDK without the platform' },
};

const CONNECTOR_IMPORTS = [
  '@signetry/connector-sdk',
  '@signetry/connector-sdk/discovery',
  '@signetry/connector-sdk/notification',
  '@signetry/contract',
  '@signetry/pki',
  '@signetry/pki/lint',
  '@signetry/pki/node',
];

export function fenceProblems(files: readonly SourceFile[]): string[] {
  const problems: string[] = [];
  for (const file of files) {
    for (const imported of file.imports) {
      const reason = refusal(file, imported);
      if (reason) problems.push(`${file.path}: may not import ${imported.specifier}: ${reason}`);
    }
    problems.push(...statementProblems(file), ...formProblems(file));
  }
  return [...problems, ...circles(files), ...circlesOfFolders(files)];
}

function refusal(file: SourceFile, imported: SourceImport): string | undefined {
  if (isTest(file.path) || file.path.startsWith('tools/') || file.path.startsWith('test/')) return undefined;
  // Runs in Node and builds what runs in browsers.
  if (/^packages\/console\/build(?:-plugins)?\.ts$/.test(file.path)) return undefined;
  if (imported.specifier.startsWith('@signetry/testkit') && !file.path.startsWith('packages/testkit/'))
    return 'the test kit is for tests only';
  const [, name = ''] = file.path.split('/');
  if (name === 'connectors') return connectorRefusal(imported);
  if (name === 'server') return serverRefusal(file, imported);
  return packageRefusal(name, file, imported);
}

function packageRefusal(name: string, file: SourceFile, imported: SourceImport): string | undefined {
  const rule = PACKAGE_IMPORTS[name];
  if (!rule || imported.target !== undefined) return undefined;
  const { specifier } = imported;
  if (specifier.startsWith('node:')) {
    const allowed = name.startsWith('connector-') || (name === 'pki' && file.path.startsWith('packages/pki/src/node/'));
    return allowed ? undefined : rule.why;
  }
  return rule.may.includes(specifier) ? undefined : rule.why;
}

function connectorRefusal({ specifier, target }: SourceImport): string | undefined {
  if (target !== undefined || specifier.startsWith('node:') || CONNECTOR_IMPORTS.includes(specifier)) return undefined;
  return specifier.startsWith('@signetry/')
    ? 'a built-in connector could leave the repository: it knows the SDK, the contract and pki only'
    : undefined;
}

const LAYERS = ['kernel', 'platform', 'areas', 'protocols', 'app'] as const;

function serverRefusal(file: SourceFile, imported: SourceImport): string | undefined {
  const place = placeOf(file.path);
  if (!place) return undefined;
  if (imported.target !== undefined) return targetRefusal(file, { place, imported, target: imported.target });
  return libraryRefusal(file, { place, imported });
}

interface ServerPlace {
  readonly layer: (typeof LAYERS)[number];
  readonly area: string | undefined;
  readonly name: string;
}

function placeOf(path: string): ServerPlace | undefined {
  const [, , , layer = '', second = '', ...rest] = path.split('/');
  if (!(LAYERS as readonly string[]).includes(layer)) return undefined;
  return {
    layer: layer as ServerPlace['layer'],
    area: layer === 'areas' ? second : undefined,
    name: rest.at(-1) ?? second,
  };
}

function targetRefusal(
  file: SourceFile,
  { place, imported, target }: { place: ServerPlace; imported: SourceImport; target: string },
): string | undefined {
  const other = placeOf(target);
  if (!other) return undefined;
  if (LAYERS.indexOf(other.layer) > LAYERS.indexOf(place.layer)) {
    return `imports point one way (app -> protocols -> areas -> platform -> kernel), and ${place.layer} is below ${other.layer}; use an event or a registry`;
  }
  if (place.area && other.area && place.area !== other.area) {
    if (!target.endsWith(`areas/${other.area}/index.ts`)) return `another area is imported only through its index.ts`;
    if (tierOf(other.area) >= tierOf(place.area))
      return `${other.area} is not in a lower tier than ${place.area}; use an event or a registry owned by the lower area`;
  }
  if (isPure(file) && DOES_IO.test(target) && !imported.typeOnly)
    return 'its head says that it is pure; it takes what it needs as arguments';
  return undefined;
}

/** All of the platform but what reads and compares addresses. */
const DOES_IO = /\/src\/platform\/(?!net\/(?:networks|public-names|loopback)\.ts)/;

/** The head of the file says so. */
const isPure = ({ text }: SourceFile): boolean =>
  /\b(?:[Pp]ure\b|[Nn]o I\/O|without I\/O)/.test(/^(?:\/\/.*\n)*/.exec(text)?.[0] ?? '');

/** Files of an area or a protocol that may use SQL. */
const SPEAKS_SQL = /^(?:store(?:-[\w-]+)?|tables|search-fields|[\w-]+-fields)\.ts$/;
/** Files of an area that may use HTTP. */
const SPEAKS_HTTP = /^(?:index|routes|[\w-]+-routes|http|[\w-]+-http)\.ts$|gatekeeper|pages/;

const ONLY_STORES = 'only store files use SQL';

const maySpeakSql = ({ layer, name }: ServerPlace): boolean =>
  (layer !== 'areas' && layer !== 'protocols') || SPEAKS_SQL.test(name);

/** Statements need no import: whoever has a database can run them. */
function statementProblems(file: SourceFile): string[] {
  const place = placeOf(file.path);
  if (!place || isTest(file.path) || maySpeakSql(place) || !hasStatement(file)) return [];
  return [`${file.path}: has a statement: ${ONLY_STORES}`];
}

function libraryRefusal(
  file: SourceFile,
  { place, imported }: { place: ServerPlace; imported: SourceImport },
): string | undefined {
  const { specifier, typeOnly } = imported;
  if (place.layer === 'kernel' && /^node:(?!crypto|util)/.test(specifier)) return 'the kernel does no I/O';
  if ((specifier === 'kysely' || specifier === 'pg') && !typeOnly && !maySpeakSql(place)) return ONLY_STORES;
  if (place.layer !== 'areas') return undefined;
  if (specifier.startsWith('fastify') && !typeOnly && !SPEAKS_HTTP.test(file.path.split('/areas/')[1] ?? ''))
    return 'only routes use HTTP';
  // Of the latter two, the functions that read addresses.
  if (isPure(file) && /^node:(?!crypto|net|url)/.test(specifier)) return 'its head says that it is pure';
  return undefined;
}

function formProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  const isConfiguration = path.endsWith('.config.ts');
  if (/^export default\b/m.test(text) && !isConfiguration)
    problems.push(`${path}: no default exports; a name says what a thing is at every place that uses it`);
  if (/^export \* from/m.test(text) && !path.endsWith('/index.ts'))
    problems.push(`${path}: re-exports everything; only index.ts is an entry point`);
  if (/\b(?:TODO|FIXME|XXX)\b/.test(text) && !path.startsWith('tools/'))
    problems.push(`${path}: holds a mark of unfinished work; do it now or leave it out`);
  return problems;
}

/** Folders stand above one another in the console, in the ACME server, and in every area below its own files. */
function circlesOfFolders(files: readonly SourceFile[]): string[] {
  const areas = new Set(
    files.flatMap(({ path }) => /^packages\/server\/src\/areas\/[\w-]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  return [
    ...['packages/console/src', 'packages/server/src/protocols/acme'].flatMap((root) => folderCircles(files, root)),
    ...[...areas].flatMap((root) =>
      folderCircles(
        files.filter(({ path }) => dirname(path) !== root),
        root,
      ),
    ),
  ];
}

/** Circles of imports, each named once. Type imports count: a circle of types is a circle of ideas. */
function circles(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, file.imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      problems.push(`circle of imports: ${[...trail.slice(at), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return problems;
}
