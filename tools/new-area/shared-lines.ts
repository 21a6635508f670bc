// Lines that an area adds to the lists shared by all areas: each is inserted after that of a neighbor.
import type { AreaNames } from './names.ts';

export interface SharedLines {
  readonly path: string;
  /** Existing lines. */
  readonly after: readonly string[];
  /** Line to insert after each of them. */
  readonly lines: readonly string[];
}

export const sharedLines = (names: AreaNames): readonly SharedLines[] => {
  const { things, Things, thing, Thing, Words } = names;
  const files = names['things-file'];
  return [
    {
      path: 'packages/contract/src/index.ts',
      after: [`export * from './platform/groups.ts';`],
      lines: [`export * from './platform/${files}.ts';`],
    },
    {
      path: 'packages/contract/src/catalog.ts',
      after: [`import { groupOperations } from './platform/groups.ts';`, '  groups: groupOperations,'],
      lines: [`import { ${thing}Operations } from './platform/${files}.ts';`, `  ${things}: ${thing}Operations,`],
    },
    {
      path: 'tools/fences.ts',
      after: [`  ['groups'],`],
      lines: [`  ['${files}'],`],
    },
    {
      path: 'packages/server/src/app/areas.ts',
      after: [
        `import { createGroupsArea } from '../areas/groups/index.ts';`,
        '    createStatisticsArea(platform, { audit }),',
      ],
      lines: [
        `import { create${Things}Area } from '../areas/${files}/index.ts';`,
        `    create${Things}Area(platform, core),`,
      ],
    },
    {
      path: 'packages/console/src/kit/paths.ts',
      after: [`  connectors: objects('/connectors'),`],
      lines: [`  ${things}: objects('/${files}'),`],
    },
    {
      path: 'packages/console/src/app/router.tsx',
      after: [`import { connectorRoutes } from '../areas/connectors/routes.ts';`, '  ...connectorRoutes,'],
      lines: [`import { ${thing}Routes } from '../areas/${files}/routes.ts';`, `  ...${thing}Routes,`],
    },
    {
      path: 'packages/console/src/app/navigation.ts',
      after: [`      { to: paths.acme.list, label: 'ACME', icon: IconRobot, resource: 'acmeProfiles' },`],
      lines: [`      { to: paths.${things}.list, label: '${Words}', icon: IconTemplate, resource: '${things}' },`],
    },
    {
      path: 'test/e2e/testing/declared-bodies.ts',
      after: [`  bulkDeleteGroup: [groupUuid],`],
      lines: [
        `  create${Thing}: { name: 'second' },\n  edit${Thing}: { name: 'matrix' },\n  bulkDelete${Thing}: [groupUuid],`,
      ],
    },
    {
      path: 'test/console/pages.test.ts',
      after: [`    ['connectors', () => '/connectors'],`],
      lines: [`    ['${Words}', () => '/${files}'],\n    ['new: ${Words}', () => '/${files}/new'],`],
    },
  ];
};
