// Error for operations that the browser or the user rejected. The message states which.
export class BrowserRejection extends Error {}
