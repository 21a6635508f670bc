// Runs on the pages of the platform that sign in with a passkey or register one. The page names the ceremony and where
// its two calls go: options come from `<path>/options`, and what the browser answers goes to `<path>`.
'use strict';

const section = document.querySelector('[data-passkey]');
const form = section.querySelector('form');
const alert = section.querySelector('[role=alert]');
const { passkey: ceremony, path } = section.dataset;

const FAILURES = {
  NotAllowedError: 'No passkey was used. You can try again.',
  InvalidStateError: 'This device has a passkey of yours already. Sign in with it, or use another device.',
  SecurityError: 'The browser refuses passkeys at this address.',
};

async function post(url, body) {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  const answer = await reply.json();
  if (reply.ok) return answer;
  throw new Error(Array.isArray(answer) ? answer.join(' ') : answer.message);
}

const ask = {
  get: (options) => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
};

async function run() {
  const options = await post(`${path}/options`, {});
  const credential = (await ask[ceremony](options)).toJSON();
  const name = form.elements.name?.value;
  const { location: next } = await post(path, { credential, ...(name === undefined ? {} : { name }) });
  location.replace(next);
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const button = form.querySelector('button');
  button.disabled = true;
  alert.hidden = true;
  try {
    await run();
  } catch (error) {
    alert.textContent = FAILURES[error.name] ?? error.message;
    alert.hidden = false;
    button.disabled = false;
    button.focus();
  }
});

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  section.querySelector('[data-unsupported]').remove();
  form.hidden = false;
}
