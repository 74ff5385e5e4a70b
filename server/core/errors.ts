import { isAboutWho } from '../../contract/access.ts'

/** What an error answer carries besides its sentence (decisions.md 8). */
export interface RefusalMore {
  /** A sentence by field, so that the form can say it where it happened. */
  fields?: Record<string, string>
  /** Anything a program needs to go on: the allowed transitions, both versions of a clash. */
  [extra: string]: unknown
}

/** The other side did not take what a job brought it: tried again after the pauses of its kind, unless `final`. */
export class WorkRefused extends Error {
  readonly final: boolean
  constructor(message: string, final = false) {
    super(message)
    this.final = final
  }
}

/** The one way a handler says no: an HTTP status, a code for programs, a sentence for people. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly more: RefusalMore
  constructor(status: number, code: string, sentence: string, more: RefusalMore = {}) {
    super(sentence)
    this.status = status
    this.code = code
    this.more = more
  }
}

/** 404: the record is not there, or not there for this caller; ids can't be probed (decisions.md 6). */
export const notFound = (what: string) => new HttpError(404, 'not_found', `${what} was not found.`)
/** 422: one field is wrong, said by name. */
export const invalid = (field: string, sentence: string) =>
  new HttpError(422, 'invalid', sentence, { fields: { [field]: sentence } })
/** 403: signed in, but not for this. */
export const forbidden = (sentence: string) => new HttpError(403, 'forbidden', sentence)
/** 401: nobody is signed in. */
export const unauthorized = (sentence = 'Please sign in.') => new HttpError(401, 'unauthorized', sentence)

/** 403 while an administrator acts as this user: the account is the person's own. */
export function refuseActing({ admin_id }: { admin_id: number | null }): void {
  if (admin_id) throw new HttpError(403, 'acting', 'You are acting as somebody else: only they can change their account.')
}

/** Throws the access table's verdict as a 403 or, when the record's state forbids it, a 409. */
export function assertAllowed(verdict: string | null): void {
  if (verdict === null) return
  const sentence = `${verdict[0]!.toUpperCase()}${verdict.slice(1)}.`
  throw isAboutWho(verdict) ? forbidden(sentence) : new HttpError(409, 'not_now', sentence)
}
