// Something that the browser or its user did not allow; the message says what.
export class BrowserRefusal extends Error {}
