/** Waits this many milliseconds; 0 lets the page handle pending keys and paint. */
export const wait = (ms = 0): Promise<void> => new Promise((done) => setTimeout(done, ms))
