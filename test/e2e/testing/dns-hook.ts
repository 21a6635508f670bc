// dns-01 hook of ACME clients: sets the record in the test's DNS server, at the URL in DNS_URL. certbot passes domain
// and value through the environment; dehydrated through arguments: deploy_challenge DOMAIN TOKEN VALUE.
const [event, domain = process.env['CERTBOT_DOMAIN'], , value = process.env['CERTBOT_VALIDATION']] =
  process.argv.slice(2);

if (event === 'deploy_challenge') {
  const body = JSON.stringify({ fqdn: `_acme-challenge.${domain}`, value });
  const { ok } = await fetch(`${process.env['DNS_URL']}/present`, { method: 'POST', body });
  process.exit(ok ? 0 : 1);
}
