/** Waits this many milliseconds; 0 lets the page do what waits: keys, paint. */
export const wait = (ms = 0): Promise<void> => new Promise((done) => setTimeout(done, ms))
