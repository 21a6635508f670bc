// Import fences: which modules may import which, with the reason in every message. Also finds import cycles, default
// exports and barrel files.
import { dirname } from 'node:path/posix';
import { folderCircles } from './folder-circles.ts';
import { isTest, type SourceFile, type SourceImport } from './source-files.ts';
import { hasStatement } from './table-references.ts';

/** Areas from low to high: an area imports others only from lower tiers, and only through their index.ts. */
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
  ['enrollments', 'key-files', 'signing-certificates'],
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

/** Packages that a package may import, in addition to npm libraries. */
const PACKAGE_IMPORTS: Readonly<Record<string, { readonly may: readonly string[]; readonly why: string }>> = {
  contract: { may: ['zod'], why: 'the contract imports zod only, so that all packages can import it' },
  client: {
    may: ['@signetry/contract', 'zod'],
    why: 'the client depends only on the contract, and also runs in browsers',
  },
  console: {
    may: [
      '@signetry/client', '@signetry/connector-sdk/pattern', '@signetry/contract', '@signetry/pki', '@signetry/pki/pkcs12',
      '@signetry/pki/hidden-characters', '@signetry/pki/international-names', 'react', 'react-dom/client',
      '@mantine/core', '@mantine/hooks',
      '@tabler/icons-react', '@tanstack/react-query', '@tanstack/react-router',
      '@mantine/core/styles/baseline.layer.css', '@mantine/core/styles/default-css-variables.layer.css',
      '@mantine/core/styles/global.layer.css',
    ],
    why: 'the console is an API client: it may import the contract, the codec and its UI libraries',
  }, // prettier-ignore
  pki: {
    may: [],
    why: 'pki is pure: it imports neither packages nor Node modules; src/node provides the cryptography',
  },
  'connector-conformance': {
    may: ['@signetry/connector-sdk', '@signetry/contract', '@signetry/pki', '@signetry/pki/node', 'zod'],
    why: 'connector authors run the checks without the platform',
  },
  'connector-sdk': { may: ['@signetry/contract', 'zod'], why: 'connector authors use the SDK without the platform' },
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
      if (reason) problems.push(`${file.path}: cannot import ${imported.specifier}: ${reason}`);
    }
    problems.push(...statementProblems(file), ...formProblems(file));
  }
  return [...problems, ...circles(files), ...circlesOfFolders(files)];
}

function refusal(file: SourceFile, imported: SourceImport): string | undefined {
  if (isTest(file.path) || file.path.startsWith('tools/') || file.path.startsWith('test/')) return undefined;
  // These files run in Node and build code for browsers.
  if (/^packages\/console\/build(?:-plugins)?\.ts$/.test(file.path)) return undefined;
  if (imported.specifier.startsWith('@signetry/testkit') && !file.path.startsWith('packages/testkit/'))
    return 'the testkit is for tests only';
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
    ? 'built-in connectors must be separable from the repository: they import only the SDK, the contract and pki'
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
    return `imports must follow the layers (app -> protocols -> areas -> platform -> kernel), and ${place.layer} is below ${other.layer}; use an event or a registry`;
  }
  if (place.area && other.area && place.area !== other.area) {
    if (!target.endsWith(`areas/${other.area}/index.ts`)) return `other areas are imported only through their index.ts`;
    if (tierOf(other.area) >= tierOf(place.area))
      return `${other.area} is not in a lower tier than ${place.area}; use an event or a registry owned by the lower area`;
  }
  if (isPure(file) && DOES_IO.test(target) && !imported.typeOnly)
    return 'the file header declares it pure; pass dependencies as arguments';
  return undefined;
}

/** The whole platform folder except the files that parse and compare network addresses. */
const DOES_IO = /\/src\/platform\/(?!net\/(?:networks|public-names|loopback)\.ts)/;

/** The header of the file declares it. */
const isPure = ({ text }: SourceFile): boolean =>
  /\b(?:[Pp]ure\b|[Nn]o I\/O|without I\/O)/.test(/^(?:\/\/.*\n)*/.exec(text)?.[0] ?? '');

/** Files of an area or protocol that may use SQL. */
const SPEAKS_SQL = /^(?:store(?:-[\w-]+)?|tables|search-fields|[\w-]+-fields)\.ts$/;
/** Files of an area that may use HTTP. */
const SPEAKS_HTTP = /^(?:index|routes|[\w-]+-routes|http|[\w-]+-http)\.ts$|gatekeeper|pages/;

const ONLY_STORES = 'only store files use SQL';

const maySpeakSql = ({ layer, name }: ServerPlace): boolean =>
  (layer !== 'areas' && layer !== 'protocols') || SPEAKS_SQL.test(name);

/** Checks SQL statements, which need no import: any code with a database can run them. */
function statementProblems(file: SourceFile): string[] {
  const place = placeOf(file.path);
  if (!place || isTest(file.path) || maySpeakSql(place) || !hasStatement(file)) return [];
  return [`${file.path}: contains an SQL statement: ${ONLY_STORES}`];
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
  // `net` and `url` are permitted for parsing addresses.
  if (isPure(file) && /^node:(?!crypto|net|url)/.test(specifier)) return 'the file header declares it pure';
  return undefined;
}

function formProblems({ path, text }: SourceFile): string[] {
  const problems: string[] = [];
  const isConfiguration = path.endsWith('.config.ts');
  if (/^export default\b/m.test(text) && !isConfiguration)
    problems.push(`${path}: has a default export; use a named export, so that every import has the same name`);
  if (/^export \* from/m.test(text) && !path.endsWith('/index.ts'))
    problems.push(`${path}: has a wildcard export; only index.ts can re-export a whole module`);
  if (/\b(?:TODO|FIXME|XXX)\b/.test(text) && !path.startsWith('tools/'))
    problems.push(`${path}: contains TODO, FIXME or XXX; finish the work or remove the comment`);
  return problems;
}

/**
 * Folders are layered in the console, in the ACME server and in every area; files directly in an area's folder are
 * exempt.
 */
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

/** Finds import cycles, each reported once. Type imports count, because they also couple the modules. */
function circles(files: readonly SourceFile[]): string[] {
  const graph = new Map(files.map((file) => [file.path, file.imports.flatMap(({ target }) => target ?? [])]));
  const done = new Set<string>();
  const problems: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    const at = trail.indexOf(path);
    if (at >= 0) {
      problems.push(`import cycle: ${[...trail.slice(at), path].join(' -> ')}`);
      return;
    }
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return problems;
}
