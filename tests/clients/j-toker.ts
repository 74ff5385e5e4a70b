// Where j-toker's scripts are, for a page of tests/e2e/j-toker.spec.ts.
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
/** j-toker and what it requires itself, in the versions that it names. */
const toker = createRequire(require.resolve('j-toker'))

/** The scripts of a page with j-toker, in order. */
export const SCRIPTS = ['jquery', 'jquery.cookie', 'jquery-deparam', 'pubsub-js', 'j-toker']

/** The file of one of them. */
export const fileOf = (script: string): string => toker.resolve(script)
