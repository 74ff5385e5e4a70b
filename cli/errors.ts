import { ApiError, UsageError } from '../verbs/errors.ts'
import { kebab, optionOf, type Verb } from '../verbs/verbs.ts'

/** TABLE  the exit codes of docs/command-line.md. */
export const EXIT = { done: 0, failed: 1, usage: 2, signIn: 3, unreachable: 4, interrupted: 130 } as const

/** Ends the program with a message and an exit code. */
export class ExitError extends Error {
  readonly exit: number
  constructor(message: string, exit: number = EXIT.failed) {
    super(message)
    this.exit = exit
  }
}

/** The exit code for an error. */
export function exitOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage
  if (error instanceof ExitError) return error.exit
  if (!(error instanceof ApiError)) return EXIT.failed
  if (error.status === 401) return EXIT.signIn
  return [0, 429, 502, 503, 504].includes(error.status) ? EXIT.unreachable : EXIT.failed
}

/** An error as lines for people, with each field's message under its option. */
export function linesOf(error: unknown, verb?: Verb): string[] {
  if (!(error instanceof ApiError)) return [error instanceof Error ? error.message : String(error)]
  const { code, fields = {}, scope, request_id } = error.body
  const wrong = Object.entries(fields).map(([field, why]) => {
    const name = field.split('.')[0]!
    const named = verb ? optionOf(verb, name) : `--${kebab(name)}`
    return `  ${named}: ${why.startsWith(`${field} `) ? why.slice(field.length + 1) : why}`
  })
  const hints = [
    error.status === 401 ? 'Sign in with “fieldwork login”, or set FIELDWORK_TOKEN.' : '',
    scope ? `The token needs the scope ${scope}.` : '',
    code === 'stale' ? 'Someone else changed it meanwhile. Read it again and send its lock_version.' : '',
    code === 'changed' ? 'Nothing was done. Run it again to see what it would do now.' : '',
    error.status >= 500 && request_id ? `Request ${request_id}` : '',
  ].filter(Boolean)
  // A fault of one field is said beside its option alone.
  const isOfField = wrong.length === 1 && Object.values(fields)[0] === error.message
  return [...(isOfField ? wrong.map((line) => line.trim()) : [error.message, ...wrong]), ...hints]
}
