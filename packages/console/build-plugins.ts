// What a browser does not need is left out when the console is built.
import { platformAreas, type Operation } from '@signetry/contract';
import type { Plugin, Rolldown } from 'vite';

/**
 * A call needs the address of its operation. The shapes of what is sent and answered are types, which are gone once
 * compiled; as values they would be a quarter of what every page loads.
 */
export function bareOperations(): Plugin {
  let isBare = false;
  return {
    name: 'bare-operations',
    enforce: 'pre',
    load(id) {
      if (!id.endsWith('/contract/src/catalogue.ts')) return undefined;
      isBare = true;
      return `
        export const platformAreas = ${JSON.stringify(bareAreas())};
        // For the makers of documents, which no page has.
        export const platformOperations = {}, connectorOperations = {};`;
    },
    generateBundle(_options, bundle) {
      if (!isBare) this.error('The catalogue of operations was not found, so it was not made small.');
      const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.isEntry);
      if (entry && loadedWith(entry.fileName, bundle).some((module) => module.includes('/node_modules/zod/')))
        this.error('Every page would load the library of shapes: import types of the contract there, not values.');
    },
  };
}

/** The modules that come with a file, directly or by what it imports at once. */
function loadedWith(fileName: string, bundle: Rolldown.OutputBundle, seen = new Set<string>()): readonly string[] {
  const file = bundle[fileName];
  if (file?.type !== 'chunk' || seen.has(fileName)) return [];
  seen.add(fileName);
  return [...file.moduleIds, ...file.imports.flatMap((imported) => loadedWith(imported, bundle, seen))];
}

const bareAreas = () =>
  Object.fromEntries(
    Object.entries(platformAreas).map(([area, table]) => [
      area,
      Object.fromEntries(Object.entries<Operation>(table).map(([key, operation]) => [key, bare(operation)])),
    ]),
  );

const bare = ({ id, method, path, success: { body, media } }: Operation) => ({
  id,
  method,
  path,
  // That there is a body is all that its reader asks.
  success: { body: body === undefined ? undefined : true, media },
});

/**
 * Each component of the view library brings its own styles, so that a page loads those of the components that it has.
 */
export function stylesOfComponents(): Plugin {
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
      if (found === 0) this.error('No component of the view library was found, so none has styles.');
    },
  };
}
