// Error for operations that the browser or its user rejected; the message states which.
export class BrowserRefusal extends Error {}
