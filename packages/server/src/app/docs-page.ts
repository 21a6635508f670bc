// Browsable page of an API document: every operation with its permission, parameters, body, responses and an example.
// Plain HTML with one script of its own for searching. It loads nothing and is complete without the script.
import { createHash } from 'node:crypto';
import { escapeHtml } from '../platform/http/escape-html.ts';
import { PAGE_STYLES, LOGO } from '../platform/http/page-style.ts';
import { curlOf, type Schemas } from './docs-curl.ts';

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

interface ListedOperation extends OperationJson {
  readonly method: string;
  readonly path: string;
}

const STYLE = `${PAGE_STYLES}
  body { box-sizing: border-box; margin: 0 auto; max-width: 72rem; padding: 2rem 1.5rem 6rem; }
  header { display: flex; align-items: center; gap: .75rem; } .mark { width: 32px; height: 32px; }
  h2 { font-size: 1.0625rem; margin: 2.25rem 0 .5rem; } h3 { font-size: .8125rem; margin: 1rem 0 .25rem; color: var(--ink-soft); }
  p { color: var(--ink-soft); margin: .5rem 0 1rem; max-width: 46rem; } nav a { margin-right: 1rem; }
  .search { position: sticky; z-index: 1; top: 0; margin-top: 1rem; padding: .6rem 0; background: var(--page); }
  .search input { box-sizing: border-box; width: 100%; height: 2.25rem; padding: 0 .75rem; border: 1px solid var(--line-strong); border-radius: .5rem; background: var(--surface); color: var(--ink); font: inherit; }
  .search output { display: block; min-height: 1.2rem; margin-top: .25rem; color: var(--ink-soft); font-size: .75rem; }
  section { overflow: clip; border: 1px solid var(--line); border-radius: .75rem; background: var(--surface); }
  details + details { border-top: 1px solid var(--line); } details { scroll-margin-top: 5rem; }
  summary { cursor: pointer; display: grid; grid-template-columns: 4.5rem minmax(0, 1fr) minmax(0, .8fr); gap: .6rem; padding: .45rem 1rem; list-style: none; }
  summary:hover, details[open] > summary { background: var(--surface-raised); } summary b { font-weight: 600; } summary code { overflow-wrap: anywhere; }
  .inside { padding: 0 1rem 1rem 6.1rem; } pre { margin: 0; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  .schemas summary { display: block; } .schemas .inside { padding-left: 1rem; }
  @media (max-width: 40rem) { body { padding: 1.25rem 1rem 4rem; } summary { grid-template-columns: 4.5rem minmax(0, 1fr); } summary span { grid-column: 2; color: var(--ink-soft); } .inside { padding-left: 1rem; } }
  @media print { .search { display: none; } }`;

/**
 * Hides rows that do not contain every search word. If scripts are disabled, the page is complete but not searchable.
 */
const SCRIPT = `
const field = document.querySelector('input[type=search]');
const said = document.querySelector('output');
const rows = [...document.querySelectorAll('details')].map((row) => [row, row.querySelector('summary').textContent.toLowerCase() + ' ' + row.id.toLowerCase()]);
const search = () => {
  const words = field.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let found = 0;
  for (const [row, text] of rows) {
    row.hidden = !words.every((word) => text.includes(word));
    if (!row.hidden) found += 1;
  }
  for (const section of document.querySelectorAll('section'))
    section.hidden = section.previousElementSibling.hidden = !section.querySelector('details:not([hidden])');
  said.textContent = words.length === 0 ? '' : found === 0 ? 'Nothing found.' : found + ' found.';
};
document.querySelector('.search').hidden = false;
field.addEventListener('input', search);
search();
addEventListener('hashchange', () => { field.value = ''; search(); });
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target === field) return;
  event.preventDefault();
  field.focus();
});
`;

/** Allows the page to load nothing, and to run only the script above. */
export const DOCS_CONTENT_POLICY = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

export interface DocsPageOptions {
  readonly document: Json;
  readonly basePath: string;
  readonly links: readonly { readonly text: string; readonly href: string }[];
}

export function docsPage({ document, basePath, links }: DocsPageOptions): string {
  // The platform's own document contains both.
  const { title, version } = document['info'] as { title: string; version: string };
  const operations = listOperations(
    document['paths'] as Readonly<Record<string, Readonly<Record<string, OperationJson>>>>,
  ); // The platform's own document has this form.
  const { schemas } = document['components'] as { schemas: Schemas };
  const tags = [...new Set(operations.flatMap((op) => op.tags))].toSorted();
  const sections = tags.map((tag) => {
    const rows = operations.filter((op) => op.tags.includes(tag)).map((op) => operationRow(op, { basePath, schemas }));
    return `<h2>${escapeHtml(tag)}</h2><section>${rows.join('')}</section>`;
  });
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head><body>
<header>${LOGO}<h1>${escapeHtml(title)}, interface ${escapeHtml(version)}</h1></header>
<p>Every operation; open one for its permission, parameters, body, answers and an example. The documents are OpenAPI 3.1, which many tools read. The examples take the address from <code>$SIGNETRY_URL</code> and an access token from <code>$TOKEN</code>; what is to be filled in is in capitals.</p>
<nav>${links.map(({ text, href }) => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`).join('')}</nav>
<div class="search" hidden><input type="search" aria-label="Search operations and shapes" placeholder="Search operations and shapes"><output></output></div>
${sections.join('\n')}
<h2 id="shapes">Shapes</h2><section class="schemas">${Object.entries(schemas).map(schemaRow).join('')}</section>
<script>${SCRIPT}</script></body></html>`;
}

const listOperations = (paths: Readonly<Record<string, Readonly<Record<string, OperationJson>>>>): ListedOperation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, op]) => ({ ...op, path, method: method.toUpperCase() })),
  );

interface PageContext {
  readonly basePath: string;
  readonly schemas: Schemas;
}

function operationRow(op: ListedOperation, { basePath, schemas }: PageContext): string {
  const [body] = Object.entries(op.requestBody?.content ?? {}).map(([media, { schema }]) => ({ media, schema }));
  const curl = curlOf(
    {
      method: op.method,
      path: basePath + op.path,
      body,
      query: (op.parameters ?? []).filter((each) => each.in === 'query' && each.required).map(({ name }) => name),
      needsToken: op['x-access'] !== undefined && op['x-access'] !== 'public',
    },
    schemas,
  );
  const parts = [
    sectionOf('Needs', accessText(op['x-access'])),
    ...(op.parameters ?? []).map(({ name, in: place, required, schema }) =>
      sectionOf(`${place} parameter ${name}${required ? ', required' : ''}`, shape(schema)),
    ),
    ...Object.entries(op.requestBody?.content ?? {}).map(([media, { schema }]) =>
      sectionOf(`Body, ${media}`, shape(schema)),
    ),
    sectionOf('Example', `<pre>${escapeHtml(curl)}</pre>`),
    ...Object.entries(op.responses).map(([status, { description, content }]) =>
      sectionOf(
        `${status} ${description}`,
        Object.values(content ?? {})
          .map(({ schema }) => shape(schema))
          .join('') || '<code>no body</code>',
      ),
    ),
  ];
  return `<details id="${escapeHtml(op.operationId)}"><summary><b>${op.method}</b><code>${escapeHtml(basePath + op.path)}</code><span>${escapeHtml(op.summary)}</span></summary><div class="inside">${parts.join('')}</div></details>`;
}

const sectionOf = (title: string, body: string): string => `<h3>${escapeHtml(title)}</h3>${body}`;

function accessText(access: unknown): string {
  if (access === undefined || access === 'public') return 'nothing';
  if (access === 'authenticated') return 'any signed-in user';
  if (access === 'bootstrap') return 'a caller on this machine, if no administrator is enabled';
  const { resource, action, parent } = access as {
    resource: string;
    action: string;
    parent?: { resource: string; action: string };
  }; // Same form as a permission.
  return `${action} on ${resource}${parent ? `, and ${parent.action} on ${parent.resource}` : ''}`;
}

const schemaRow = ([name, schema]: [string, Json]): string =>
  `<details id="shape-${escapeHtml(name)}"><summary><code>${escapeHtml(name)}</code></summary><div class="inside">${shape(schema)}</div></details>`;

const REFERENCE = /#\/components\/schemas\/(\w+)/g;

/** Renders a schema as text, with references as links to the schemas below. */
const shape = (schema: Json | undefined): string =>
  schema === undefined
    ? '<code>an empty payload</code>'
    : `<pre>${escapeHtml(JSON.stringify(schema, null, 2)).replaceAll(REFERENCE, '<a href="#shape-$1">$1</a>')}</pre>`;
