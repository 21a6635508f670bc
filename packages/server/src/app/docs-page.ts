// The browsable page of an interface document: every operation with its permission, parameters, body and answers. Plain
// HTML without scripts; it works in any browser and under the strictest content security policy.

type Json = { readonly [key: string]: unknown };

interface OperationJson {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Json }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema: Json }>> }
    >
  >;
  readonly 'x-access'?: unknown;
}

interface Listed extends OperationJson {
  readonly method: string;
  readonly path: string;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const STYLE = `
  :root { color-scheme: light dark; --line: light-dark(#d9dde3, #333a44); --soft: light-dark(#5b6570, #9aa5b1); --page: light-dark(#fff, #14181d);
    --mark: light-dark(#0b57d0, #8ab4f8); --raised: light-dark(#f5f7f9, #1c2229); }
  body { font: 15px/1.55 system-ui, sans-serif; margin: 0 auto; max-width: 68rem; padding: 2.5rem 1.5rem 6rem; background: var(--page); }
  h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.05rem; margin: 2.25rem 0 .5rem; } h3 { font-size: .8rem; margin: 1rem 0 .25rem; color: var(--soft); }
  p { color: var(--soft); margin: .25rem 0 1rem; } a { color: var(--mark); } code, pre { font: 13px/1.5 ui-monospace, monospace; } nav a { margin-right: 1rem; }
  details { border-top: 1px solid var(--line); } details[open] { background: var(--raised); }
  summary { cursor: pointer; display: grid; grid-template-columns: 4.5rem minmax(0, 1fr) minmax(0, .8fr); gap: .6rem; padding: .45rem .5rem; list-style: none; }
  summary:hover { background: var(--raised); } summary:focus-visible { outline: 2px solid var(--mark); } summary b { font-weight: 600; } summary code { overflow-wrap: anywhere; }
  .inside { padding: 0 .5rem 1rem 5.6rem; } pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  .schemas details { padding: 0; } .schemas summary { display: block; } .schemas .inside { padding-left: .5rem; }
  @media (max-width: 40rem) { summary { grid-template-columns: 4.5rem minmax(0, 1fr); } summary span { grid-column: 2; color: var(--soft); } .inside { padding-left: .5rem; } }`;

export interface DocsPageOptions {
  readonly document: Json;
  readonly basePath: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

export function docsPage({ document, basePath, links }: DocsPageOptions): string {
  const { title, version } = document['info'] as { title: string; version: string }; // our own document has both
  const operations = listOperations(
    document['paths'] as Readonly<Record<string, Readonly<Record<string, OperationJson>>>>,
  ); // and this form
  const tags = [...new Set(operations.flatMap((op) => op.tags))].toSorted();
  const sections = tags.map((tag) => {
    const rows = operations.filter((op) => op.tags.includes(tag)).map((op) => operationRow(op, basePath));
    return `<h2>${escapeHtml(tag)}</h2>${rows.join('')}`;
  });
  const schemas = Object.entries((document['components'] as { schemas: Readonly<Record<string, Json>> }).schemas);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<h1>${escapeHtml(title)}, interface ${escapeHtml(version)}</h1>
<p>Every operation; open one for its permission, parameters, body and answers. The documents are OpenAPI 3.1, which many tools read.</p>
<nav>${links.map(({ text, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`).join('')}</nav>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2><div class="schemas">${schemas.map(schemaRow).join('')}</div></body></html>`;
}

const listOperations = (paths: Readonly<Record<string, Readonly<Record<string, OperationJson>>>>): Listed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({ ...op, path, method: method.toUpperCase() })),
  );

function operationRow(op: Listed, basePath: string): string {
  const parts = [
    part('Needs', accessText(op['x-access'])),
    ...(op.parameters ?? []).map(({ name, in: place, required, schema }) =>
      part(`${place} parameter ${name}${required ? ', required' : ''}`, shape(schema)),
    ),
    ...Object.entries(op.requestBody?.content ?? {}).map(([media, { schema }]) =>
      part(`Body, ${media}`, shape(schema)),
    ),
    ...Object.entries(op.responses).map(([status, { description, content }]) =>
      part(
        `${status} ${description}`,
        Object.values(content ?? {})
          .map(({ schema }) => shape(schema))
          .join('') || '<code>no body</code>',
      ),
    ),
  ];
  return `<details id="${escapeHtml(op.operationId)}"><summary><b>${op.method}</b><code>${escapeHtml(basePath + op.path)}</code><span>${escapeHtml(op.summary)}</span></summary><div class="inside">${parts.join('')}</div></details>`;
}

const part = (title: string, body: string): string => `<h3>${escapeHtml(title)}</h3>${body}`;

function accessText(access: unknown): string {
  if (access === undefined || access === 'public') return 'nothing';
  if (access === 'authenticated') return 'any signed-in user';
  if (access === 'bootstrap') return 'a caller on this machine, while there is no enabled administrator';
  const { resource, action, parent } = access as {
    resource: string;
    action: string;
    parent?: { resource: string; action: string };
  }; // the form of a permission
  return `${action} on ${resource}${parent ? `, and ${parent.action} on ${parent.resource}` : ''}`;
}

const schemaRow = ([name, schema]: [string, Json]): string =>
  `<details id="shape-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary><div class="inside">${shape(schema)}</div></details>`;

const REFERENCE = /#\/components\/schemas\/(\w+)/g;

/** A schema as text, its references as links to the shapes below. */
const shape = (schema: Json | undefined): string =>
  schema === undefined
    ? '<code>an empty payload</code>'
    : `<pre>${escapeHtml(JSON.stringify(schema, null, 2)).replaceAll(REFERENCE, '<a href="#shape-$1">$1</a>')}</pre>`;
