// Operations of the published interface that this version does not serve yet: path and methods. The platform returns
// 404 for them, in words, instead of taking them for another operation whose pattern fits. Remove the line of an
// operation when its declaration is added; a test compares the two.

const paths: Readonly<Record<string, string>> = {
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep': 'GET',
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep/activate/{scepProfileUuid}': 'PATCH',
  '/v1/authorities/{authorityUuid}/raProfiles/{raProfileUuid}/protocols/scep/deactivate': 'PATCH',
  '/v1/protocols/scep/raProfile/{raProfileName}/pkiclient.exe': 'GET POST',
  '/v1/protocols/scep/{scepProfileName}/pkiclient.exe': 'GET POST',
  '/v1/scepProfiles': 'GET POST',
  '/v1/scepProfiles/caCertificates': 'GET',
  '/v1/scepProfiles/delete': 'DELETE',
  '/v1/scepProfiles/delete/force': 'DELETE',
  '/v1/scepProfiles/disable': 'PATCH',
  '/v1/scepProfiles/enable': 'PATCH',
  '/v1/scepProfiles/{uuid}': 'GET PUT DELETE',
  '/v1/scepProfiles/{uuid}/disable': 'PATCH',
  '/v1/scepProfiles/{uuid}/enable': 'PATCH',
  '/v1/scepProfiles/{uuid}/raProfiles/{raProfileUuid}': 'PATCH',
};

export interface OperationNotServed {
  readonly method: string;
  /** Relative to `/api`, with parameters in braces. */
  readonly path: string;
}

export const operationsNotServed: readonly OperationNotServed[] = Object.entries(paths).flatMap(([path, methods]) =>
  methods.split(' ').map((method) => ({ method, path })),
);
