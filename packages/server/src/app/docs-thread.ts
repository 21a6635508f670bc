// Worker thread of docs-pages.ts: generates an API's document and page.
import { connectorOpenApi, INTERFACE_VERSION, PLATFORM_BASE_PATH, platformOpenApi } from '@signetry/contract';
import { serveTasks } from '../platform/threads/worker-pool.ts';
import { docsPage, type DocsPageOptions } from './docs-page.ts';

export interface DocsTask {
  readonly side: 'platform' | 'connector';
  readonly links: DocsPageOptions['links'];
}

export interface WrittenDocs {
  /** OpenAPI document as JSON. */
  readonly document: string;
  /** HTML. */
  readonly page: string;
}

serveTasks(({ side, links }: DocsTask): WrittenDocs => {
  const [document, basePath] =
    side === 'platform'
      ? [platformOpenApi(INTERFACE_VERSION), PLATFORM_BASE_PATH]
      : [connectorOpenApi(INTERFACE_VERSION), ''];
  return { document: JSON.stringify(document), page: docsPage({ document, basePath, links }) };
});
