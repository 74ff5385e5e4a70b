/** Returns how much of a costly test runs: a part in `npm test`, all of it in `npm run test:all`. */
export const rounds = (part: number, all: number): number => (process.env.WHOLE ? all : part)
