// OpenAPI documents for both interfaces.
import { connectorOperations, platformOperations } from './catalog.ts';
import { openApiDocument } from './openapi.ts';
import type { Operation } from './operation.ts';
import { protocolOperations } from './protocols/acme.ts';
import { scepOperations } from './protocols/scep.ts';
import { cmpOperations } from './protocols/cmp.ts';

/**
 * Methods by which callers authenticate to the platform; any one of them is sufficient. The names are as published: the
 * actual certificate header and session cookie are deployment settings.
 */
const platformSecurity = {
  BearerJWTAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  CertificateAuth: { type: 'apiKey', in: 'header', name: 'X-APP-CERTIFICATE' },
  SessionAuth: { type: 'apiKey', in: 'cookie', name: 'czertainly-session' },
};

/**
 * Methods by which the platform can authenticate to a connector. The connector's own configuration decides which one it
 * requires.
 */
const connectorSecurity = {
  BasicAuth: { type: 'http', scheme: 'basic' },
  CertificateTLSAuth: { type: 'mutualTLS' },
  ConnectorAPIKeyAuth: { type: 'apiKey', in: 'header', name: 'X-API-KEY' },
};

/** The platform API's base path. */
export const PLATFORM_BASE_PATH = '/api';

export function platformOpenApi(version: string) {
  const servers = [...protocolOperations, ...cmpOperations, ...scepOperations];
  const announced = Object.values<Operation>(platformOperations).filter(({ since }) => since === undefined);
  return openApiDocument([...announced, ...servers], {
    title: 'Signetry platform',
    version,
    basePath: PLATFORM_BASE_PATH,
    securitySchemes: platformSecurity,
  });
}

export function connectorOpenApi(version: string) {
  return openApiDocument(Object.values(connectorOperations), {
    title: 'Signetry connector',
    version,
    basePath: '/',
    securitySchemes: connectorSecurity,
  });
}
