import { isAboutCaller } from '../../contract/access.ts'
import type { ErrorCode, FieldCode } from '../../contract/errorCodes.ts'
import { withStop } from '../../contract/textEnds.ts'

/** Optional parts of an error response (decisions.md 8). */
export interface ErrorExtras {
  /** A sentence for each wrong field, for the form to show beside it. */
  fields?: Record<string, string>
  /** What is wrong with each of them, for programs; `invalid` if left out. */
  field_codes?: Record<string, FieldCode>
  /** Data for programs: the allowed transitions, or both versions of a conflict. */
  [extra: string]: unknown
}

/** Thrown when the other side rejects a job's work; it is retried after its kind's pauses, unless `final`. */
export class WorkRefused extends Error {
  readonly final: boolean
  /** It isn't tried again sooner (ms). */
  readonly after: number
  constructor(message: string, final = false, after = 0) {
    super(message)
    this.final = final
    this.after = after
  }
}

/** The only error a handler throws on purpose: an HTTP status, a code for programs, a sentence for people. */
export class HttpError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly more: ErrorExtras
  constructor(status: number, code: ErrorCode, sentence: string, more: ErrorExtras = {}) {
    super(sentence)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** 404: missing, or hidden from this caller, so that ids can't be probed (decisions.md 6). */
export const notFound = (what: string) => new HttpError(404, 'not_found', `${what} was not found.`)
/** The same code for each of these fields. */
export const codeAll = (fields: Record<string, string>, code: FieldCode): Record<string, FieldCode> =>
  Object.fromEntries(Object.keys(fields).map((field) => [field, code]))

/** 422: one field is wrong; the sentence names it. */
export const invalid = (field: string, sentence: string, code?: FieldCode) =>
  new HttpError(422, 'invalid', sentence, { fields: { [field]: sentence }, ...(code ? { field_codes: { [field]: code } } : {}) })
/** 403: signed in, but without the right to do this. */
export const forbidden = (sentence: string) => new HttpError(403, 'forbidden', sentence)
/** 403: a token without the scope that this needs. */
export const missingScope = (token: string, scope: string) =>
  new HttpError(403, 'scope', `The token “${token}” needs the scope ${scope} for this.`, { scope })
/** 401: not signed in. */
export const unauthorized = (sentence = 'Please sign in.') => new HttpError(401, 'unauthorized', sentence)

/** Throws 403 while an administrator acts as this user: only the user may change the account. */
export function refuseActing({ admin_id }: { admin_id: number | null }): void {
  if (admin_id) throw new HttpError(403, 'acting', 'You’re acting as someone else. Only they can change their account.')
}

/** Throws the access table's denial as a 403 or, when the record's state forbids it, a 409. */
export function assertAllowed(denial: string | null): void {
  if (denial === null) return
  const sentence = withStop(`${denial[0]!.toUpperCase()}${denial.slice(1)}`)
  throw isAboutCaller(denial) ? forbidden(sentence) : new HttpError(409, 'not_now', sentence)
}
