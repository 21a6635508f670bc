// Build plugins that remove code a browser does not need.
import { platformAreas, type Operation } from '@signetry/contract';
import type { Plugin, Rolldown } from 'vite';

/**
 * API calls need only an operation's ID, method and path. The request and response schemas serve only as types, which
 * are erased at compile time; if kept as values, they would make up a quarter of the code that every page loads.
 */
export function bareOperations(): Plugin {
  let isBare = false;
  return {
    name: 'bare-operations',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/contract/src/catalog.ts')) return undefined;
      isBare = true;
      return `
        export const platformAreas = ${JSON.stringify(bareAreas())};
        // For the makers of documents, which no page has.
        export const platformOperations = {}, connectorOperations = {};`;
    },
    generateBundle(_options, bundle) {
      if (!isBare) this.error('Cannot reduce the operation catalog: catalog.ts was not found.');
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
      if (entry && collectModules(entry.fileName, bundle).some((module) => module.includes('/node_modules/zod/')))
        this.error('Every page would load zod: import only types from the contract, not values.');
    },
  };
}

/** Returns the modules that are loaded along with a file: its own modules and those of its static imports. */
function collectModules(fileName: string, bundle: Rolldown.OutputBundle, seen = new Set<string>()): readonly string[] {
  const file = bundle[fileName];
  if (file?.type !== 'chunk' || seen.has(fileName)) return [];
  seen.add(fileName);
  return [...file.moduleIds, ...file.imports.flatMap((imported) => collectModules(imported, bundle, seen))];
}

const bareAreas = () =>
  Object.fromEntries(
    Object.entries(platformAreas).map(([area, table]) => [
      area,
      Object.fromEntries(Object.entries<Operation>(table).map(([key, operation]) => [key, toBareOperation(operation)])),
    ]),
  );

const toBareOperation = ({ id, method, path, success: { body, media } }: Operation) => ({
  id,
  method,
  path,
  // Callers check only whether a body exists.
  success: { body: body === undefined ? undefined : true, media },
});

/**
 * Imports each Mantine component's styles together with the component, so that a page loads only the styles it needs.
 */
export function componentStyles(): Plugin {
  let found = 0;
  return {
    name: 'styles-of-components',
    transform(code, id) {
      const name = /\/@mantine\/core\/esm\/(?:components|utils)\/(?:[^/]+\/)+(\w+)\.module\.mjs$/.exec(id)?.[1];
      if (name === undefined) return undefined;
      found += 1;
      return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null, moduleSideEffects: true };
    },
    generateBundle() {
      if (found === 0) this.error('No Mantine component was found, so no component has styles.');
    },
  };
}
