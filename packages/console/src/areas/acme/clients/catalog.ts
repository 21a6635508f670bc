// The ACME clients with instructions, in display order.
import { acmeSh, certbot, lego, winAcme } from './commands.ts';
import { apache, caddy, certManager, nginx, traefik } from './servers.ts';
import type { AcmeClient } from './setup.ts';

export const acmeClients: readonly AcmeClient[] = [
  certbot,
  acmeSh,
  lego,
  nginx,
  apache,
  caddy,
  traefik,
  certManager,
  winAcme,
];

export const clientOf = (id: string | undefined): AcmeClient => acmeClients.find((each) => each.id === id) ?? certbot;
