// Addresses of the console's pages. Links come from here only.
export const paths = {
  start: '/',
  certificates: '/certificates',
  certificate: (uuid: string) => `/certificates/${uuid}`,
  issue: '/issue',
  authorities: '/authorities',
  raProfiles: '/ra-profiles',
  acme: '/acme',
  connectors: '/connectors',
} as const;
